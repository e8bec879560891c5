import type { TextToEmbed } from '../../contracts/vector-source.ts';
import { asQuarryError, type QuarryError } from '../../core/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { Bell } from './bell.ts';
import type { Amount } from './cut-batches.ts';
import { areaOf, type Measure, type MeasuredText } from './measured-text.ts';

/** How much may be read and not yet told; one text more in bytes, since its length is known only when it is here. */
export interface ReadAheadWindow {
  readonly texts: number;
  readonly bytes: number;
}

/** Bytes of text after which the rest of the process gets its turn: measuring them is work that nothing interrupts. */
const bytesPerBreath = 64 * 1024;
const textsPerBreath = 1024;

/** What a reader works with. */
export interface ReadAheadParts<Owner> {
  readonly texts: AsyncIterator<TextToEmbed<Owner>>;
  readonly window: ReadAheadWindow;
  readonly measure: Measure;
  readonly clock: Clock;
  /** Called after each text, at the end and after a failure. */
  readonly onChange: () => void;
}

/** Reads texts while others are being embedded, as far as the window allows. */
export class ReadAhead<Owner> {
  readonly #parts: ReadAheadParts<Owner>;
  readonly #room = new Bell();
  #incoming: MeasuredText<Owner>[] = [];
  #amount = { texts: 0, tokens: 0, bytes: 0 };
  #heldTexts = 0;
  #heldBytes = 0;
  #isReading = false;
  #isClosed = false;
  /** Whether the last text has been read. */
  hasEnded = false;
  /** Why reading stopped, when the source failed. */
  failure: QuarryError | undefined;

  constructor(parts: ReadAheadParts<Owner>) {
    this.#parts = parts;
  }

  /** What has been read and not yet taken. */
  get waiting(): Amount {
    return this.#amount;
  }

  get isFull(): boolean {
    const { window } = this.#parts;
    return this.#heldTexts >= window.texts || this.#heldBytes >= window.bytes;
  }

  /** Starts with a text that was read already. */
  begin(first: TextToEmbed<Owner>): void {
    this.#add(first);
    void this.#read();
  }

  /** Everything read since the last time. */
  take(): MeasuredText<Owner>[] {
    const taken = this.#incoming;
    this.#incoming = [];
    this.#amount = { texts: 0, tokens: 0, bytes: 0 };
    return taken;
  }

  /** Makes room: these texts have left the house. */
  release(texts: number, bytes: number): void {
    this.#heldTexts -= texts;
    this.#heldBytes -= bytes;
    if (!this.isFull) this.#room.ring();
  }

  /** Reads no more and lets the source close; a source that is stuck in a read is not waited for. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#room.ring();
    if (this.hasEnded || this.failure) return;
    // Nobody reads this source any more: that it cannot close properly changes nothing for the texts.
    const closed = Promise.resolve(this.#parts.texts.return?.()).catch(() => {});
    if (!this.#isReading) await closed;
  }

  async #read(): Promise<void> {
    const { texts, clock, onChange } = this.#parts;
    let breath = bytesPerBreath;
    try {
      while (!this.#isClosed) {
        if (this.isFull) {
          await this.#room.heard();
          continue;
        }
        this.#isReading = true;
        const next = await texts.next();
        this.#isReading = false;
        if (this.#isClosed) return;
        if (next.done) break;
        breath -= this.#add(next.value) + bytesPerBreath / textsPerBreath;
        if (breath <= 0) {
          breath = bytesPerBreath;
          await clock.wait(0);
        }
        onChange();
      }
      this.hasEnded = true;
    } catch (thrown) {
      this.failure = asQuarryError(thrown);
    }
    this.#isReading = false;
    onChange();
  }

  #add(given: TextToEmbed<Owner>): number {
    const item = this.#parts.measure(given);
    this.#incoming.push(item);
    this.#amount.texts += 1;
    this.#amount.tokens += areaOf(item);
    this.#amount.bytes += item.bytes;
    this.#heldTexts += 1;
    this.#heldBytes += item.bytes;
    return item.bytes;
  }
}
