import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findSecrets } from '../../src/secrets/find-secrets.ts';
import { redactSecrets } from '../../src/secrets/redact-secrets.ts';
import { readCase, type SecretCase } from './case.ts';
import { contextCases, heldOutContextCases } from './contexts.ts';
import { heldOutNegatives, heldOutPositives } from './held-out.ts';
import { packageFiles } from './packages.ts';
import { tunedNegatives } from './tuned-negatives.ts';
import { tunedPositives } from './tuned-positives.ts';
import { unseenPositives } from './unseen.ts';

/** Characters that a finding may hide beyond the secret and still count as right: a stray quote or bracket. */
const tolerance = 2;

interface Tally {
  secrets: number;
  hidden: number;
  findings: number;
  right: number;
}

const verbose = process.argv.includes('--misses');
report('tuned', [...tunedPositives, ...tunedNegatives], verbose);
report('held out', [...heldOutPositives, ...heldOutNegatives], process.argv.includes('--held-out-misses'));
report('unseen forms', unseenPositives, process.argv.includes('--unseen-misses'));
report('contexts', contextCases, verbose);
report('contexts held out', heldOutContextCases, process.argv.includes('--held-out-misses'));
reportPackages();
reportSpeed();

function report(title: string, cases: readonly SecretCase[], showMisses: boolean): void {
  const total: Tally = { secrets: 0, hidden: 0, findings: 0, right: 0 };
  const rules = new Map<string, Tally>();
  for (const labelled of cases) score(labelled, total, rules, showMisses);
  const negatives = cases.filter((labelled) => labelled.rule === 'none').length;
  console.log(`\n${title}: ${cases.length} texts, ${negatives} of them without a secret`);
  for (const [rule, tally] of [...rules].toSorted()) console.log(line(rule, tally));
  console.log(line('all', total));
}

function score(labelled: SecretCase, total: Tally, rules: Map<string, Tally>, showMisses: boolean): void {
  const { text, secrets } = readCase(labelled);
  const findings = findSecrets(text);
  for (const secret of secrets) {
    const isHidden = findings.some(({ start, end }) => start <= secret.start && end >= secret.end);
    add(total, rules, labelled.rule, { secrets: 1, hidden: isHidden ? 1 : 0 });
    if (!isHidden && showMisses) console.log('MISSED', labelled.rule, JSON.stringify(text));
  }
  for (const finding of findings) {
    const isRight = secrets.some(
      ({ start, end }) => finding.start >= start - tolerance && finding.end <= end + tolerance,
    );
    add(total, rules, finding.rule, { findings: 1, right: isRight ? 1 : 0 });
    if (!isRight && showMisses) {
      console.log('WRONG', finding.rule, text.slice(finding.start, finding.end), 'in', JSON.stringify(text));
    }
  }
}

function add(total: Tally, rules: Map<string, Tally>, rule: string, change: Partial<Tally>): void {
  const tally = rules.get(rule) ?? { secrets: 0, hidden: 0, findings: 0, right: 0 };
  rules.set(rule, tally);
  for (const sum of [total, tally]) {
    sum.secrets += change.secrets ?? 0;
    sum.hidden += change.hidden ?? 0;
    sum.findings += change.findings ?? 0;
    sum.right += change.right ?? 0;
  }
}

function line(name: string, { secrets, hidden, findings, right }: Tally): string {
  const precision = findings === 0 ? Number.NaN : right / findings;
  const recall = secrets === 0 ? Number.NaN : hidden / secrets;
  const f1 = (2 * precision * recall) / (precision + recall);
  const share = (value: number) => (Number.isNaN(value) ? '    –' : value.toFixed(3));
  const counts = `${hidden}/${secrets} hidden, ${right}/${findings} right`;
  return `  ${name.padEnd(22)} precision ${share(precision)}  recall ${share(recall)}  F1 ${share(f1)}  ${counts}`;
}

/** Real packages hardly hold a secret: what is found in them, alone and with a token in every tenth file. */
function reportPackages(): void {
  const { cases, characters } = packageFiles();
  const total: Tally = { secrets: 0, hidden: 0, findings: 0, right: 0 };
  for (const labelled of cases) score(labelled, total, new Map(), process.argv.includes('--package-misses'));
  console.log(
    `\npackages: ${cases.length} files, ${(characters / 1e6).toFixed(1)} MB, a token in every tenth`,
  );
  console.log(line('all', total));
}

/** The repository's own sources are ordinary text: what scanning them costs, and what it wrongly finds in them. */
function reportSpeed(): void {
  const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
  const files = globSync('{src,docs,test,scripts}/**/*.{ts,md}', { cwd: root });
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 20; round += 1) {
    const start = performance.now();
    for (const text of texts) redactSecrets(text);
    fastest = Math.min(fastest, performance.now() - start);
  }
  const speed = (size / 1e3 / fastest).toFixed(0);
  const extent = `${files.length} files of this repository, ${(size / 1e6).toFixed(2)} MB`;
  console.log(`\nspeed: ${speed} MB/s over ${extent}, the fastest of 20 rounds`);
  for (const [index, text] of texts.entries()) {
    for (const { start, end, rule } of findSecrets(text)) {
      console.log(`  found in ${files[index]}: ${rule} ${text.slice(start, end).slice(0, 60)}`);
    }
  }
}
