import { expect, test } from 'vitest';
import { noteFields } from './note-fields.ts';

test('reads tags of the front matter and of the text, aliases and links', () => {
  const text = [
    '---',
    'tags: [boat]',
    'aliases: [Knots and ropes, Rigging]',
    'status: open',
    '---',
    'About #boat/rigging, #[[old boats]] and [[Masts#Wood|wood]]; see [how](../how%20to.md#top) and ![[sketch.png]].',
  ].join('\n');
  expect(noteFields(text)).toEqual({
    tags: ['boat', 'boat/rigging', 'old boats'],
    aliases: ['Knots and ropes', 'Rigging'],
    status: 'open',
    links: ['old boats', 'Masts', './../how to.md', 'sketch.png'],
  });
});

test('reads the properties of a page of Logseq', () => {
  expect(noteFields('alias:: Rig, Ropes\ntags:: [[boat]], sail\n\n- A line about masts.\n')).toMatchObject({
    aliases: ['Rig', 'Ropes'],
    tags: ['boat', 'sail'],
  });
});

test('takes neither code, numbers of issues, colours nor addresses for tags and links', () => {
  const text =
    'Fixes #12, `#include`, C#sharp, [site](https://example.org/a.md), [here](#top), [mail](mailto:a@b.org).\n' +
    '```sh\n[[ -f x ]] # comment\n#define\n```\n';
  expect(noteFields(text)).toEqual({});
});

test('keeps a bounded part of a note full of tags and links, and takes no time for open brackets', () => {
  const many = Array.from({ length: 5000 }, (_, at) => `#t${at} [[Note ${at}]]`).join(' ');
  const { tags, links } = noteFields(many);
  expect([(tags as string[]).length, (links as string[]).length]).toEqual([100, 300]);
  noteFields('[['.repeat(200_000));
  noteFields('](<'.repeat(200_000));
  noteFields('#'.repeat(400_000));
});
