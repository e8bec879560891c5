import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { z } from 'zod';
import { virtualUri } from '../../core/document.ts';
import { asQuarryError, errorToData, exitCodeOf, messageOf, QuarryError } from '../../core/errors.ts';
import { problemSchema } from '../../core/failures/problem.ts';
import { defineOperation } from '../operation.ts';

const standardInput = '-';

/** Adds text that has no file in the project. */
export const addOperation = defineOperation({
  effect: 'writes',
  reach: 'machine',
  positionals: ['file'],
  input: z.strictObject({
    file: z
      .string()
      .min(1)
      .default(standardInput)
      .describe('The file with the text, in UTF-8; - or nothing reads standard input.'),
    uri: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Name of the document; the name of the file by default. Content of the same name is replaced.',
      ),
    title: z.string().optional().describe('Title of the document.'),
    type: z.string().min(1).optional().describe('Type of the document, such as note or doc.'),
    metadata: z.array(z.string()).default([]).describe('A further fact about it (KEY=VALUE).'),
  }),
  output: z.object({
    uri: z.string(),
    bytes: z.int().describe('Size of the text.'),
    replaced: z.boolean().describe('Whether other content had this name before.'),
    warnings: z.array(problemSchema).describe('Why it is not in the index yet, or lacks vectors.'),
  }),
  examples: [
    {
      input: { file: 'minutes.txt', uri: 'calls/2026-03-01.md', type: 'note' },
      explains: 'a file from elsewhere',
    },
    {
      input: { uri: 'build.log' },
      explains: 'what another command prints: make 2>&1 | quarry add --uri build.log',
    },
  ],
  exitCode: ({ warnings }) => warnings.map(({ code }) => exitCodeOf(code))[0] ?? 0,
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project, { file, uri, title, type, metadata }, { signal, stdin }) {
    const name = uri ?? (file === standardInput ? undefined : basename(file));
    if (name === undefined)
      throw new QuarryError('usage-invalid', 'Text from standard input has no name.', 'Name it with --uri.');
    const source = file === standardInput ? stdin?.() : createReadStream(file);
    if (!source)
      throw new QuarryError(
        'usage-invalid',
        'There is no text on standard input.',
        'Name a file, or pipe the text into the command.',
      );
    const { maxBytes } = await import('../../reading/max-bytes.ts');
    const max = maxBytes(virtualUri(name), project.settings.index);
    const bytes = await readAll(signal ? addAbortSignal(signal, source) : source, file, max);
    const facts = Object.fromEntries(metadata.map(keyAndValue));
    const added = await project.add(
      {
        name,
        text: textOf(bytes, file),
        ...(title !== undefined && { title }),
        ...(type !== undefined && { type }),
        ...(metadata.length > 0 && { metadata: facts }),
      },
      signal ? { signal } : {},
    );
    return {
      uri: added.uri,
      bytes: bytes.length,
      replaced: added.replaced,
      warnings: added.warnings.map(errorToData),
    };
  },
});

/** Removes added content for good. */
export const removeOperation = defineOperation({
  effect: 'destroys',
  reach: 'project',
  positionals: ['uris'],
  input: z.strictObject({
    uris: z
      .array(z.string().min(1))
      .min(1)
      .describe('Names of added content, with virtual: before them or without.'),
  }),
  output: z.object({
    removed: z.array(z.string()),
    unknown: z.array(z.string()).describe('Names that no added content has.'),
  }),
  examples: [{ input: { uris: ['calls/2026-03-01.md'] }, explains: 'what was added under this name' }],
  exitCode: ({ unknown }) => (unknown.length > 0 ? exitCodeOf('usage-invalid') : 0),
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project, { uris }) {
    const removed: string[] = [];
    const unknown: string[] = [];
    for (const uri of uris.map(virtualUri)) ((await project.remove(uri)) > 0 ? removed : unknown).push(uri);
    return { removed, unknown };
  },
});

/** Everything that a stream holds, unless that is more than may be added: a stream may have no end. */
async function readAll(stream: Readable, file: string, max: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of stream) {
      parts.push(part);
      size += part.length;
      if (size > max) break;
    }
  } catch (cause) {
    const error = asQuarryError(cause);
    if (error.code === 'interrupted') throw error;
    throw new QuarryError(
      'file-unreadable',
      `${file} cannot be read: ${messageOf(cause)}`,
      'Name a file of text.',
      {
        cause,
      },
    );
  }
  return Buffer.concat(parts);
}

function textOf(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const shown = file === standardInput ? 'Standard input' : file;
    throw new QuarryError(
      'document-unsupported',
      `${shown} is not text in UTF-8.`,
      'Convert it to UTF-8 first.',
      {
        cause,
      },
    );
  }
}

function keyAndValue(pair: string): [string, string] {
  const at = pair.indexOf('=');
  if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
  throw new QuarryError(
    'usage-invalid',
    `--metadata ${pair} has no "=".`,
    'Write it like --metadata speaker=Ada',
  );
}
