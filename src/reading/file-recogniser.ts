import type { FileRecogniser } from '../contracts/recogniser.ts';
import type { RecognisedText } from '../core/picture.ts';
import type { RawDocument } from '../indexing/read-document.ts';
import type { BusyFlag } from '../models/inference/busy-flag.ts';
import { openRecogniser, recogniserVersion } from '../models/recognition/open-recogniser.ts';
import { redactSecrets } from '../secrets/redact-secrets.ts';
import { createKeptPages } from './kept-pages.ts';
import type { PagesRead, RecognitionSettings } from './reading-task.ts';

/** Makes the recogniser of a file: it reads each page once, whatever file of the same content it is in. */
export function fileRecognisers(
  { installed, cacheFolder, threads, milliseconds, redactSecrets: isRedacting }: RecognitionSettings,
  flag: BusyFlag | undefined,
): (raw: RawDocument, onPage: (read: PagesRead) => void) => FileRecogniser {
  const recognise = openRecogniser(installed, { threads, flag });
  const kept = createKeptPages(cacheFolder);
  const maker = [recogniserVersion, isRedacting, ...Object.values(installed.card.files)].join(' ');
  const safe = (found: RecognisedText): RecognisedText =>
    isRedacting ? { ...found, text: redactSecrets(found.text).text } : found;
  return ({ revision }, onPage) => ({
    milliseconds,
    async readPage(page, total, decode) {
      const read = await kept.page(`${maker} ${revision} ${page}`, async () => {
        const picture = await decode();
        return picture ? safe(await recognise(picture)) : { text: '', words: [] };
      });
      onPage({ done: page, total });
      return read;
    },
  });
}
