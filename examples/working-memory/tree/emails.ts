import { daysBefore, plainDay, spokenDay } from './calendar.ts';
import type { Chance } from './chance.ts';
import { lifeMail } from './life-mail.ts';
import { ines, type Person, people, rowan, wren } from './people.ts';
import { termsMail } from './terms-mail.ts';
import type { ThreadKind, Writer } from './thread-kind.ts';
import { tradeMail } from './trade-mail.ts';
import type { LabelledQuestion, TreeFile } from './tree-file.ts';

/** How many messages the archive holds, and how far it reaches back. */
const archived = 500;
const oldestDays = 110;
/** Questions are about messages that are still in working memory (60 days) when a slow test asks. */
const rememberedDays = 55;

/** The mail archive: one plain text file a message, as a mail program would export it. */
export function emails(chance: Chance, today: number): { files: TreeFile[]; questions: LabelledQuestion[] } {
  const kinds = [...tradeMail, ...termsMail, ...lifeMail];
  const threads = chance.shuffled(kinds.flatMap((kind) => kind.about.map((about) => ({ kind, about }))));
  const files: TreeFile[] = [];
  const questions: LabelledQuestion[] = [];
  for (const { kind, about } of threads) {
    const room = archived - files.length;
    if (room <= 0) break;
    const written = thread(kind, about, chance, today).slice(0, room);
    files.push(...written.map(({ file }) => file));
    const [ask, ...answers] = kind.asks;
    const answering = answers.flatMap((index) => written[index] ?? []);
    if (answering.length < answers.length || answering.some(({ days }) => days > rememberedDays)) continue;
    questions.push({
      id: `mail-${kind.name}-${about.toLowerCase().replace(/\W+/g, '-')}`,
      category: 'email',
      text: ask.replaceAll('{about}', about),
      relevant: answering.map(({ file }, place) => ({ path: file.path, grade: place === 0 ? 1 : 0.5 })),
    });
  }
  return { files, questions };
}

interface Message {
  readonly file: TreeFile;
  readonly days: number;
}

function thread(kind: ThreadKind, about: string, chance: Chance, today: number): Message[] {
  const other = personNamed(chance.pick(kind.with));
  const gaps = kind.messages.map(() => chance.number(1, 3));
  const length = gaps.reduce((sum, gap) => sum + gap, 0);
  let days = chance.number(length, oldestDays);
  const slots: Record<string, string> = {
    about,
    number: String(chance.number(1100, 9800)),
    sum: String(chance.number(45, 940)),
    day: spokenDay(daysBefore(today, days - 9)),
    later: spokenDay(daysBefore(today, days - 16)),
    ...Object.fromEntries(Object.entries(kind.slots).map(([name, values]) => [name, chance.pick(values)])),
  };
  const subject = filled(kind.subject, slots);
  return kind.messages.map(([writer, ...variants], place) => {
    days -= gaps[place] ?? 1;
    const sent = daysBefore(today, days, chance.number(7, 19));
    const from = writerOf(writer, other);
    const to = writer === 'them' ? (kind.messages[0]?.[0] === 'rowan' ? rowan : ines) : other;
    const stem = `${plainDay(sent)}-${kind.name}-${subject.toLowerCase().replace(/\W+/g, '-').slice(0, 40)}-${place + 1}`;
    const text = [
      `From: ${from.name} <${from.address}>`,
      `To: ${to.name} <${to.address}>`,
      `Date: ${new Date(sent).toUTCString()}`,
      `Subject: ${place === 0 ? '' : 'Re: '}${subject}`,
      '',
      capital(filled(chance.pick(variants), slots)),
      '',
      from.name.split(' ')[0] ?? '',
      '',
    ].join('\n');
    return { file: { path: `docs/emails/${stem}.txt`, text, modifiedAt: sent }, days };
  });
}

function writerOf(writer: Writer, other: Person): Person {
  return { them: other, ines, rowan, wren }[writer];
}

function personNamed(name: string): Person {
  const found = people.find((person) => person.name === name);
  if (!found) throw new RangeError(`No person is named ${name}.`);
  return found;
}

function filled(template: string, slots: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? name);
}

/** Sentences may begin with a slot. */
function capital(text: string): string {
  return text.replace(
    /(^|[.?!] )([a-z])/g,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );
}
