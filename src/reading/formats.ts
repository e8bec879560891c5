import { extname } from 'node:path';
import { unpackedName } from '../core/document.ts';
import { isCommit } from '../core/documents/commit.ts';
import { isConversation } from '../core/documents/conversation.ts';
import type { chunkers, extractors } from '../drivers/manifest.ts';
import { dockerfile } from './source-languages.ts';

/** How files of one format are read and cut. */
export interface Format {
  readonly mediaType: string;
  readonly extractor: keyof typeof extractors;
  readonly chunker: keyof typeof chunkers;
  /** Whether most of such a file is not text, so that it may be much larger than a plain one. */
  readonly isContainer: boolean;
  /** Whether people write programs in it, though no syntax tree cuts it. */
  readonly isSource: boolean;
}

type Row = readonly [
  mediaType: string,
  extractor: Format['extractor'],
  chunker: Format['chunker'],
  extensions: string,
  kind?: 'container' | 'source',
];

/** Formats by extension; code is recognised by its language before this table is asked. */
const rows: readonly Row[] = [
  ['text/markdown', 'markdown', 'markdown', '.md .markdown .mdx .mdc'],
  ['text/html', 'html', 'markdown', '.html .htm .xhtml'],
  ['application/pdf', 'pdf', 'pages', '.pdf', 'container'],
  ['image/png', 'picture', 'prose', '.png', 'container'],
  ['image/jpeg', 'picture', 'prose', '.jpg .jpeg .jpe', 'container'],
  ['image/webp', 'picture', 'prose', '.webp', 'container'],
  ['image/tiff', 'picture', 'pages', '.tif .tiff', 'container'],
  [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'docx',
    'markdown',
    '.docx .docm .dotx .dotm .doc .dot',
    'container',
  ],
  [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'xlsx',
    'sheets',
    '.xlsx .xlsm .xltx .xltm .xlsb .xls',
    'container',
  ],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods', 'sheets', '.ods .ots .fods', 'container'],
  [
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'pptx',
    'slides',
    '.pptx .pptm .ppsx .ppsm .potx .potm .ppt .pps .pot',
    'container',
  ],
  ['application/vnd.oasis.opendocument.presentation', 'odp', 'slides', '.odp .otp .fodp', 'container'],
  ['application/vnd.oasis.opendocument.text', 'odt', 'markdown', '.odt .ott .fodt', 'container'],
  ['application/epub+zip', 'epub', 'markdown', '.epub', 'container'],
  ['text/calendar', 'ics', 'entries', '.ics .ical .ifb'],
  ['application/rtf', 'rtf', 'markdown', '.rtf', 'container'],
  ['application/vnd.ms-outlook', 'msg', 'email', '.msg .oft', 'container'],
  ['text/vcard', 'vcf', 'entries', '.vcf .vcard'],
  ['message/rfc822', 'email', 'email', '.eml', 'container'],
  ['application/mbox', 'mbox', 'email', '.mbox .mbx', 'container'],
  ['application/x-ipynb+json', 'notebook', 'markdown', '.ipynb', 'container'],
  ['application/json', 'text', 'data', '.json .json5 .jsonc .geojson .webmanifest'],
  ['application/jsonl', 'text', 'data', '.jsonl .ndjson'],
  ['application/yaml', 'text', 'data', '.yaml .yml'],
  ['application/toml', 'text', 'data', '.toml'],
  ['text/x-config', 'text', 'data', '.ini .cfg .conf .properties .editorconfig'],
  ['text/csv', 'text', 'rows', '.csv .tsv'],
  ['text/x-log', 'text', 'log', '.log'],
  ['application/xml', 'text', 'lines', '.xml .xsd .xsl .plist'],
  ['text/x-template', 'text', 'lines', '.astro .ejs .hbs .jinja .liquid', 'source'],
  [
    'text/x-source',
    'text',
    'blocks',
    '.sql .proto .graphql .gql .vue .svelte .dockerfile .containerfile',
    'source',
  ],
  ['text/css', 'text', 'lines', '.css .scss .sass .less', 'source'],
  [
    'text/x-source',
    'text',
    'lines',
    '.cmake .gradle .m .mm .tf .nix .r .jl .pl .pm .hs .dart .zig .mk .lhs .ml .mli .fs .fsi .fsx .erl .hrl ' +
      '.clj .cljs .cljc .lisp .el .scm .rkt .elm .purs .nim .cr .pas .f90 .f95 .asm .s .v .sv .vhd .vhdl .sol .groovy .coffee .tcl .awk .ps1 ' +
      '.psm1 .bat .cmd .fish .vim .glsl .hlsl .wgsl .metal .cu .cuh .tt .vb .adb .ads .odin .gleam .res .lean ',
    'source',
  ],
];

const byExtension: ReadonlyMap<string, Format> = new Map(
  rows.flatMap(([mediaType, extractor, chunker, extensions, kind]) =>
    extensions
      .split(' ')
      .map(
        (extension) =>
          [
            extension,
            { mediaType, extractor, chunker, isContainer: kind === 'container', isSource: kind === 'source' },
          ] as const,
      ),
  ),
);

const plainText: Format = {
  mediaType: 'text/plain',
  extractor: 'text',
  chunker: 'prose',
  isContainer: false,
  isSource: false,
};

const source = (chunker: Format['chunker']): Format => ({
  ...plainText,
  mediaType: 'text/x-source',
  chunker,
  isSource: true,
});

/** Exports of assistants have hundreds of megabytes, of which a part is text; what has only the name is held to the usual size. */
const conversations: Format = {
  mediaType: 'application/x-conversations+json',
  extractor: 'text',
  chunker: 'data',
  isContainer: true,
  isSource: false,
};

/** A session of an agent, as its source gives it: without what makes transcripts large. */
const session: Format = {
  mediaType: 'application/x-session+json',
  extractor: 'transcript',
  chunker: 'entries',
  isContainer: true,
  isSource: false,
};

/** Formats of files that are known by their whole name, in lower case. */
const byName: readonly (readonly [names: RegExp, format: Format])[] = [
  [dockerfile, source('blocks')],
  [/^conversations(?:[-_ ()]*\d{1,4}\)?)?\.json$/, conversations],
  [/^(?:cmakelists\.txt|jenkinsfile|justfile|meson\.build|build\.bazel|workspace\.bazel)$/, source('lines')],
];

const commit: Format = {
  ...plainText,
  mediaType: 'text/x-commit',
  extractor: 'commit',
  chunker: 'commit',
};

/** The format of a file, or of what is packed in it, by its name; what is not known is plain text. */
export function formatOf(uri: string): Format {
  if (isConversation(uri)) return session;
  if (isCommit(uri)) return commit;
  const path = unpackedName(uri);
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return byName.find(([names]) => names.test(name))?.[1] ?? byExtension.get(extname(name)) ?? plainText;
}

/**
 * Whether the text of a file is cheap to make from its bytes, by its name: text of any kind, Markdown and exports of chats, as opposed
 * to PDF, office files and pictures.
 */
export function isPlain(uri: string): boolean {
  return ['text', 'markdown'].includes(formatOf(uri).extractor);
}

/** Types whose documents are cut in their own way, whatever their format. */
export const chunkersByType: ReadonlyMap<string, Format['chunker']> = new Map([
  ['exploration', 'exploration'],
  ['log', 'log'],
  ['email', 'email'],
  ['state', 'data'],
]);
