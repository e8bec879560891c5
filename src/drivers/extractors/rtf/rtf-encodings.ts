/** Encodings by the number of a code page, as far as the platform knows them. */
export function encodingOfPage(page: number): string | undefined {
  if ((page >= 1250 && page <= 1258) || page === 874) return `windows-${page}`;
  return pages.get(page);
}

const pages: ReadonlyMap<number, string> = new Map([
  [866, 'ibm866'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10000, 'macintosh'],
  [20127, 'windows-1252'],
  [20866, 'koi8-r'],
  [28591, 'windows-1252'],
  [28592, 'iso-8859-2'],
  [28595, 'iso-8859-5'],
  [50220, 'iso-2022-jp'],
  [51932, 'euc-jp'],
  [54936, 'gb18030'],
  [65001, 'utf-8'],
]);

/** Encodings by the character set of a font. */
const sets: ReadonlyMap<number, number> = new Map([
  [77, 10000],
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
]);

/** The encoding that a font of RTF is written in; undefined where that is the one of the document. */
export function encodingOfSet(set: number): string | undefined {
  const page = sets.get(set);
  return page === undefined ? undefined : encodingOfPage(page);
}
