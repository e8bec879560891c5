/**
 * Passes the events of a stream on while looking at each, and returns what the stream returns. An event for which `look`
 * gives `false` ends here. Leaving early closes the stream, so that it lets go of what it holds.
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
    // A stream that has ended takes no notice; of one that is left nobody takes the result.
    await stream.return(undefined as never);
  }
}

/** Runs a stream to its end while looking at each event, and gives what it returns; a failing `look` closes it. */
export async function resultOf<Event, Result>(
  stream: AsyncGenerator<Event, Result>,
  look: (event: Event) => void = () => undefined,
): Promise<Result> {
  const observed = observe(stream, (event) => {
    look(event);
    return false;
  });
  const { value } = await observed.next();
  // Every event ends here, so that the first step is the last one.
  return value as Result;
}
