import type { Digest, DigestLead, DigestPlace } from '../../../core/digest.ts';
import { relevanceWord } from '../../../core/relevance.ts';
import { counted } from '../../../core/text/counted.ts';
import { shortened } from '../../../core/text/shortened.ts';
import type { SearchHit } from '../../../operations/find/hit-as-data.ts';
import { quoted } from '../commands/quoted.ts';
import type { Output } from '../terminal/output.ts';
import { renderNumbered } from './numbered-lines.ts';

/** Places of weaker hits that are named. */
const maxWeaker = 5;
/** Places that one command is proposed for. */
const maxNext = 12;

const wordColours = { strong: 'green', possible: 'yellow', weak: 'dim' } as const;

/** A longer question is begun: its first words say what is looked for. */
const maxQuestion = 200;

/** The command that shows more of what is shown in part, for all questions; of long definitions only what answers. */
export function renderNext(
  answers: readonly { readonly query: string; readonly digest: Digest }[],
  output: Output,
): void {
  const asked = answers.filter(({ digest }) => digest.next.length > 0);
  const places = [...new Set(asked.flatMap(({ digest }) => digest.next))].slice(0, maxNext);
  const [only, second] = asked;
  if (!only) return;
  const isLong = asked.some(({ digest }) => digest.is_long);
  const command = `quarry read ${places.map(quoted).join(' ')}`;
  const question = shortened(only.query.replaceAll(/\s+/g, ' '), maxQuestion);
  const ofOne = `Next: ${command} --for ${quoted(question)}`;
  const ofSeveral = `Next (--for "question" shows of long ones what answers): ${command}`;
  const line = isLong ? (second ? ofSeveral : ofOne) : `To see these whole: ${command}`;
  output.result(output.style('dim', line));
}

/** The first hit with its text, a few lines of those near it, a line for each other one, and what else there is to say. */
export function renderDigest(digest: Digest, hits: readonly SearchHit[], output: Output): void {
  const { lead, places } = digest;
  const occurrences = new Map(hits.map((hit) => [hit.chunk, hit]));
  const copies = (chunk: string): void => {
    for (const { citation } of occurrences.get(chunk)?.also_at ?? [])
      output.result(`   ${output.style('dim', `also at ${citation}`)}`);
  };
  if (lead) {
    output.result(headOf(lead, 1, output, occurrences.get(lead.chunk)?.occurrences));
    renderLead(lead, occurrences.get(lead.chunk), output);
    copies(lead.chunk);
    if (places.length > 0) output.result('');
  }
  for (const [at, place] of places.entries()) {
    const head = headOf(place, at + (lead ? 2 : 1), output, occurrences.get(place.chunk)?.occurrences);
    const about = place.was_shown ? (place.pieces ? 'shown before' : 'shown above') : place.about;
    const isSampled = place.pieces !== undefined;
    output.result(about === '' || (isSampled && !place.was_shown) ? head : `${head}  ${about}`);
    if (isSampled) renderNumbered(place.pieces ?? [], output);
    renderBeside(place, output);
    copies(place.chunk);
  }
  const isEmpty = digest.verdict === 'none';
  for (const line of closingLines(digest, output)) {
    if (isEmpty) output.note(line);
    else output.result(output.style('dim', line));
  }
}

function headOf(place: DigestPlace | DigestLead, number: number, output: Output, count?: number): string {
  const where = output.link(output.style(['bold', 'cyan'], place.citation), place.path);
  const word = relevanceWord(place.relevance);
  const said = count === undefined ? word : `${counted(count, 'occurrence')} in its file`;
  const name = place.name === '' ? '' : `  ${place.name}`;
  return `${number}. ${where}  ${output.style(wordColours[word], said)}${name}`;
}

function renderLead(lead: DigestLead, hit: SearchHit | undefined, output: Output): void {
  const { pieces, further, facts } = lead;
  renderNumbered(pieces, output);
  if (facts) output.result(`   ${output.style('dim', facts)}`);
  renderBeside(lead, output);
  if (further.length > 0) output.result(`   ${output.style('dim', `more at ${furtherOf(further, hit)}`)}`);
}

/** A few lines of the best further place of the first document. */
function renderBeside({ beside }: DigestPlace | DigestLead, output: Output): void {
  if (!beside) return;
  const place = output.style('cyan', `and at ${beside.citation}`);
  output.result(`   ${place}${beside.name === '' ? '' : `  ${beside.name}`}`);
  renderNumbered(beside.pieces, output);
}

/** Further places of a document, each with what is there. */
function furtherOf(further: readonly string[], hit: SearchHit | undefined): string {
  const names = new Map(
    hit?.more?.map(({ citation, symbol, section }) => [citation, symbol?.name ?? section]),
  );
  return further.map((citation) => [citation, names.get(citation)].filter(Boolean).join(' ')).join(', ');
}

/** What is said after the hits: never a verdict above answers that may be right. */
function closingLines(
  { verdict, places, weaker, words, missing }: Digest,
  { isPiped }: Pick<Output, 'isPiped'>,
): string[] {
  const isWeak = verdict === 'weak' && places.length > 0;
  return [
    ...(weaker.length > 0
      ? [`${counted(weaker.length, 'weaker hit')} (--full): ${weaker.slice(0, maxWeaker).join('  ')}`]
      : []),
    // A program gets the names that are defined there below all answers.
    ...(isWeak && isPiped ? ['Nothing matches strongly.'] : []),
    ...(isWeak && !isPiped
      ? [
          'Nothing matches strongly: these are the nearest there are. What is defined here: quarry outline FOLDER',
        ]
      : []),
    ...(words.length > 0 ? [`Words of this project near yours: ${words.join(', ')}`] : []),
    ...(missing.length > 0 ? [`No text here has: ${missing.join(', ')}`] : []),
  ];
}
