import { type Readable, Transform, type Writable } from 'node:stream';

/** Bytes of a line up to which it is looked at before it is passed on: longer ones end the connection there. */
const maxLine = 10 * 2 ** 20;

/** The answer to a line that is no JSON: whom it answers is not known. */
const parseError = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_700, message: 'Parse error: each line has to be one message in JSON.' },
};

/**
 * The lines of a client that are JSON. One that is not is answered by an error, as JSON-RPC says: without it a client that wrote such
 * a line waits for ever. Pausing it lets go of the input, so that a process that has nothing else to do ends.
 */
export function jsonLines(input: Readable, output: Writable): Readable {
  let parts: Buffer[] = [];
  let size = 0;
  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        const rest = chunk.subarray(start, end + 1);
        const line = Buffer.concat([...parts, rest]);
        const isLong = size + rest.length > maxLine;
        parts = [];
        size = 0;
        start = end + 1;
        if (isLong || isJson(line)) this.push(line);
        else if (line.toString().trim() !== '') output.write(`${JSON.stringify(parseError)}\n`);
      }
      const begun = chunk.subarray(start);
      if (begun.length > 0) parts.push(begun);
      size += begun.length;
      if (size > maxLine) {
        this.push(Buffer.concat(parts));
        parts = [];
      }
      done();
    },
  });
  const { pause } = lines;
  lines.pause = () => {
    input.unpipe(lines).pause();
    return pause.call(lines);
  };
  input.on('error', (cause) => lines.destroy(cause));
  return input.pipe(lines);
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString());
    return true;
  } catch {
    // What it is instead does not matter.
    return false;
  }
}
