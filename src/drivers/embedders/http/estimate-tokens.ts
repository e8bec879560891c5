/**
 * UTF-8 bytes of a token: between prose, which has near 5 of them, and source code, which has near 3, as word pieces and
 * byte pairs cut them alike. Counted in bytes, scripts whose every character is a token come out near the truth too.
 */
const bytesPerToken = 4;

/**
 * About how many tokens a text has, without cutting it. The model is elsewhere and cuts by rules of its own, so that an
 * exact count by other rules is an estimate too, and costs more than the whole rest of a call.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
