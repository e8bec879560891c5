import type { LanguageModelV4Middleware, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ContextOptions, Project } from '../../calls/project.ts';
import { asQuarryError, type QuarryError } from '../../core/errors.ts';

/** What is retrieved before a model is called. */
export interface RetrievalOptions {
  readonly context?: ContextOptions;
  /** Told why something that was to be retrieved may be missing. */
  readonly onWarning?: (warning: QuarryError) => void;
}

/**
 * Retrieves what the last message of the user is about and puts it before the words of that message. The call is left as
 * it is where the project is disabled or empty, where nothing passes `context.threshold`, or where the index is broken.
 */
export function retrievalMiddleware(
  project: Pick<Project, 'context'>,
  { context, onWarning = () => {} }: RetrievalOptions = {},
): LanguageModelV4Middleware {
  return {
    specificationVersion: 'v4',
    async transformParams({ params }) {
      const place = params.prompt.findLastIndex(({ role }) => role === 'user');
      const query = wordsOf(params.prompt, place);
      if (query === '') return params;
      const { abortSignal: signal } = params;
      const text = await textFor(project, query, { ...context, ...(signal && { signal }) }, onWarning);
      return text === '' ? params : { ...params, prompt: withText(params.prompt, place, text) };
    },
  };
}

async function textFor(
  project: Pick<Project, 'context'>,
  query: string,
  options: ContextOptions,
  warn: (warning: QuarryError) => void,
): Promise<string> {
  try {
    const { text, warnings } = await project.context(query, options);
    for (const warning of warnings) warn(warning);
    return text;
  } catch (thrown) {
    const error = asQuarryError(thrown);
    // A call does not fail with the index; any other mistake is the caller's.
    if (!error.code.startsWith('store-') && error.code !== 'machine-failed') throw error;
    warn(error);
    return '';
  }
}

/** The text of a user's message, without its files. */
function wordsOf(prompt: LanguageModelV4Prompt, place: number): string {
  const message = prompt[place];
  if (message?.role !== 'user') return '';
  return message.content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n')
    .trim();
}

function withText(prompt: LanguageModelV4Prompt, place: number, text: string): LanguageModelV4Prompt {
  return prompt.map((message, index) =>
    index === place && message.role === 'user'
      ? { ...message, content: [{ type: 'text', text: `${text}\n\n` }, ...message.content] }
      : message,
  );
}
