import { messageOf, QuarryError } from '../../../core/errors.ts';
import { machineFailure } from '../../../core/failures/machine-failure.ts';
import type { Location } from './location.ts';

/** Whether another writer's commit came between: the same work succeeds when it is done again. */
export function isConflict(thrown: unknown): boolean {
  return /commit conflict|concurrent (commit|transaction)|preempted|too much write contention|retryable/i.test(
    messageOf(thrown),
  );
}

/** The same, of a failure that a user would see. */
export function isOvertaken(thrown: unknown): boolean {
  return thrown instanceof QuarryError && (thrown.code === 'store-busy' || isConflict(thrown.cause));
}

/** Whether the table is no longer there. */
export function isGone(thrown: unknown): boolean {
  return /was not found|not found:|No such file|NoSuchKey|NoSuchBucket/i.test(messageOf(thrown));
}

/** What a failure of LanceDB means to a user. */
export function lanceFailure(thrown: unknown, { uri, address, folder }: Location): QuarryError {
  if (thrown instanceof QuarryError) return thrown;
  const failure = machineFailure(thrown);
  if (failure) return failure;
  const message = messageOf(thrown);
  const options = { cause: thrown };
  if (/No space left/i.test(message))
    return new QuarryError(
      'machine-failed',
      `The disk of ${uri} is full.`,
      'Free space on that disk, then run the same command again.',
      options,
    );
  if (
    address &&
    /\b40[13]\b|AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|Unauthorized|Forbidden|credential/i.test(
      message,
    )
  )
    return new QuarryError(
      'provider-key',
      `${address.host} refuses the key for ${uri}.`,
      'Check the key in the environment (AWS_ACCESS_KEY_ID, AZURE_STORAGE_ACCOUNT_KEY or LANCEDB_API_KEY) and its permissions.',
      options,
    );
  if (
    address &&
    /error sending request|connect|timed? ?out|dns|\b50[0234]\b|Generic (S3|MicrosoftAzure) error/i.test(
      message,
    ) &&
    !isGone(thrown)
  )
    return new QuarryError(
      'provider-unreachable',
      `${address.host} does not answer: ${firstLine(message)}`,
      'Nothing that was committed is lost. Run the same command again when the store answers.',
      options,
    );
  if (isConflict(thrown))
    return new QuarryError(
      'store-busy',
      `Other processes wrote to ${uri} first, each time.`,
      'Nothing was written. Run the same command again.',
      options,
    );
  if (isGone(thrown))
    return new QuarryError(
      'store-unusable',
      `The index at ${uri} is no longer there: ${firstLine(message)}`,
      'Run: quarry index',
      options,
    );
  if (folder && /Corrupt|Invalid (manifest|file)|magic|EOF|file size is too small/i.test(message))
    return new QuarryError(
      'store-corrupt',
      `The index at ${uri} is damaged: ${firstLine(message)}`,
      'Run: quarry index --full',
      options,
    );
  return new QuarryError(
    'store-unusable',
    `The index at ${uri} cannot be used: ${firstLine(message)}`,
    folder
      ? 'Check that the folder may be read and written.'
      : 'Check store.url and the permissions of its key.',
    options,
  );
}

function firstLine(message: string): string {
  return (
    message
      .replace(/, \/[^\s]*\.rs:\d+:\d+/g, '')
      .split('\n')[0]
      ?.slice(0, 300) ?? ''
  );
}
