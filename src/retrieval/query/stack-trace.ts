/** Lines of stack traces and compilers. No pattern can match a text in two ways, so each takes linear time. */
const framePatterns: readonly RegExp[] = [
  // File "run.py", line 3, in main
  /File "[^"\n]+", line \d/,
  // at com.example.Store.open(Store.java:42)
  /\bat [^\s(]+\([^\s():]+:\d{1,9}\)/,
  // at src/main.rs:3
  /^[ \t]*at \S+:\d{1,9}[ \t\r]*$/m,
  // --> src/main.rs:3:4
  /--> \S+:\d/,
  // /app/main.go:42 +0x1f
  /\.go:\d{1,9} \+0x[\da-f]/,
  // in C:\app\Store.cs:line 42
  /\.[A-Za-z]\w{0,7}:line \d/,
  // store.rb:3:in `open'
  /\.[A-Za-z]\w{0,7}:\d{1,9}:in\b/,
  // #0 /app/store.php(3): open()
  /^[ \t]*#\d{1,9} \S+\(\d{1,9}\): /m,
  // open@http://localhost/store.js:3:4
  /^[ \t]*[^@\s]*@\S+:\d{1,9}:\d{1,9}[ \t\r]*$/m,
  // src/a.ts(3,4): error, src/a.c:3:4: warning
  /\.[A-Za-z]\w{0,7}(?:\(\d{1,9}(?:,\d{1,9})?\)|:\d{1,9}(?::\d{1,9})?) ?: (?:fatal )?(?:error|warning|note)\b/,
];

/** Whether a text holds a line of a stack trace, or a place as compilers name it. */
export function isStackTrace(text: string): boolean {
  return framePatterns.some((pattern) => pattern.test(text)) || text.split('\n').some(isScriptFrame);
}

/** `at run (file.js:3:7)`, in two steps: a single expression would take quadratic time. */
function isScriptFrame(line: string): boolean {
  const start = line.search(/\bat /);
  if (start < 0) return false;
  // Times and network addresses have two colons too, but only a file has an ending or a folder.
  const words = line.slice(start + 3).split(/[\s()]+/);
  return words.some((word) => /:\d{1,9}:\d/.test(word) && /[/\\.][A-Za-z]/.test(word));
}

/** Places of a text, the innermost call first. Python traces have it at the end, and say so. */
export function innermostFirst<Place extends { readonly index: number }>(
  text: string,
  places: readonly Place[],
): Place[] {
  const start = text.indexOf('(most recent call last)');
  if (start < 0) return [...places];
  const before = places.filter(({ index }) => index < start);
  return [...before, ...places.slice(before.length).reverse()];
}
