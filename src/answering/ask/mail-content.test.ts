import { expect, test } from 'vitest';
import { withoutMailParts } from './mail-content.ts';

const said = (text: string) =>
  withoutMailParts(text)
    .split('\n')
    .filter((line) => line.trim() !== '');

test('of a mail is kept what its writer says', () => {
  expect(
    said(
      'Hi Piet,\n\nthe practice has called.\nIt is moved.\n\nKind regards\nNora\nMill Lane 4\n\n-- \nNora\nPhone 1\n\n> on Tuesday\n',
    ),
  ).toEqual(['the practice has called.', 'It is moved.']);
  expect(said('Yes.\n\nOn Mon, 4 May 2026 at 08:00, Nora <n@example.org> wrote:\n> Is it?\n')).toEqual([
    'Yes.',
  ]);
  expect(said('Ja.\n\nMit freundlichen Grüßen\nA. Weber\n\nPS: Bring the key.\n')).toEqual([
    'Ja.',
    'PS: Bring the key.',
  ]);
});

test('what follows a signature is read again from the headers of the next message', () => {
  expect(said('One.\n-- \nAda\nFrom: Bo\nSubject: Re\n\nTwo.')).toEqual([
    'One.',
    'From: Bo',
    'Subject: Re',
    'Two.',
  ]);
});

test('a sentence that begins like a greeting or thanks is kept', () => {
  expect(said('Thanks for the apples you sent.\nBest before 5 May.')).toHaveLength(2);
});
