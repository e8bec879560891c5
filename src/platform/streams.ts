/**
 * Passes on the events of a stream, calls `look` with each, and returns what the stream returns. An event for which `look`
 * returns `false` is not passed on. Leaving early closes the stream, so that it releases what it holds.
 */
export async function* observe<Event, Result>(
  stream: AsyncGenerator<Event, Result>,
  look: (event: Event) => unknown,
): AsyncGenerator<Event, Result> {
  try {
    let step = await stream.next();
    for (; !step.done; step = await stream.next()) if (look(step.value) !== false) yield step.value;
    return step.value;
  } finally {
    // This closes a stream that was left early, and does nothing to one that has ended.
    await stream.return(undefined as never);
  }
}

/** Runs a stream to its end, calls `look` with each event, and returns its result. If `look` throws, the stream is closed. */
export async function resultOf<Event, Result>(
  stream: AsyncGenerator<Event, Result>,
  look: (event: Event) => void = () => undefined,
): Promise<Result> {
  const observed = observe(stream, (event) => {
    look(event);
    return false;
  });
  const { value } = await observed.next();
  // No event is passed on, so the first step is the result.
  return value as Result;
}
