import type { AnswerParts } from '../answering/answer-parts.ts';
import type { Project } from '../calls/project.ts';
import type { Embedder } from '../contracts/embedder.ts';
import type { Generator } from '../contracts/generator.ts';
import type { DiskState } from '../core/answer.ts';
import { asQuarryError, QuarryError } from '../core/errors.ts';
import { splitProject } from '../core/project-names.ts';
import type { Environment } from '../platform/environment.ts';
import type { Settings } from '../settings/settings.ts';
import { type Member, namedAfter } from './member.ts';

/** What answers of several projects are made of. */
export interface SeveralParts {
  readonly members: readonly Member[];
  memberNamed(name: string): Member | undefined;
  readonly search: Project['search'];
  readonly environment: Environment;
}

/** Context blocks and answers from several projects: written like those of one, from a search of all of them. */
export function answersOfSeveral(parts: SeveralParts): Pick<Project, 'context' | 'inject' | 'ask'> {
  const { search } = parts;
  const answers: ReturnType<typeof answersOfSeveral> = {
    async context(query, options) {
      const { writeContext } = await import('../answering/context/write-context.ts');
      const made = await withFirst(parts, async ({ settings }) => answerParts(parts, settings, search));
      return writeContext(made, query, options);
    },
    async inject(prompt, query, { onWarning = () => {}, ...options } = {}) {
      const { injectInto } = await import('../answering/context/write-context.ts');
      return injectInto(prompt, () => answers.context(query, options), onWarning);
    },
    async *ask(question, options) {
      const { answerQuestion } = await import('../answering/ask/answer-question.ts');
      // A model that belongs to a project stays in use until the answer is written.
      const held = Promise.withResolvers<void>();
      const opened = Promise.withResolvers<Project>();
      const use = withFirst(parts, async (project) => {
        opened.resolve(project);
        await held.promise;
      });
      use.catch(opened.reject);
      try {
        const first = await opened.promise;
        const made = answerParts(parts, first.settings, search, first);
        return yield* answerQuestion(made, question, options);
      } finally {
        held.resolve();
        // Why it failed was thrown to the caller above.
        await use.catch(() => undefined);
      }
    },
  };
  return answers;
}

/** Works with the first project that can be opened: what one sets for answers counts for all. */
async function withFirst<Result>(
  { members }: Pick<SeveralParts, 'members'>,
  work: (project: Project) => Promise<Result>,
): Promise<Result> {
  let failure = new QuarryError('project-not-found', 'No project is named.', 'Name one, or several.');
  for (const member of members) {
    let isOpen = false;
    try {
      return await member.use((project) => {
        isOpen = true;
        return work(project);
      });
    } catch (thrown) {
      if (isOpen) throw thrown;
      failure = namedAfter(member, asQuarryError(thrown));
    }
  }
  throw failure;
}

/**
 * The embedder of the first project, where all have the same: sentences of one project go to no server that another one named.
 * With a fallback it is not known which of the two answers.
 */
async function commonEmbedder({ members }: SeveralParts): Promise<Embedder> {
  const opened = await Promise.all(
    members.map(({ use }) =>
      use(async (project) => ({
        wanted: JSON.stringify([project.settings.embedder, project.settings.embedders]),
        hasFallback: project.settings.embedder.fallback !== undefined,
        embedder: await project.embedder(),
      })),
    ),
  );
  const [first] = opened;
  if (first && opened.every(({ wanted, hasFallback }) => !hasFallback && wanted === first.wanted))
    return first.embedder;
  throw new QuarryError('usage-invalid', 'These projects have different embedders.', 'Ask one alone.');
}

function answerParts(
  parts: SeveralParts,
  settings: Settings,
  search: Project['search'],
  first?: Project,
): AnswerParts {
  return {
    search,
    generator: {
      open: async () => first && commonGenerator(parts.members, first),
      // It is opened again by the project that it belongs to.
      forget: async () => undefined,
    },
    embedder: () => commonEmbedder(parts),
    maxTokens: settings.context.max_tokens,
    threshold: settings.context.threshold,
    answerTokens: settings.generator.max_tokens,
    async namedFiles() {
      throw new QuarryError(
        'usage-invalid',
        'Files can be named only where one project is asked.',
        'Ask that project alone, or leave out the files.',
      );
    },
    async checkOnDisk(texts) {
      const states: DiskState[] = [];
      for (const text of texts) {
        const named = splitProject(text.uri, (name) => parts.memberNamed(name) !== undefined);
        const member = named && parts.memberNamed(named.name);
        states.push(named && member ? await onDisk(parts, member, { ...text, uri: named.rest }) : 'changed');
      }
      return states;
    },
    async tokenCounter() {
      return (await import('../models/tokenizers/bundled.ts')).promptTokens;
    },
  };
}

async function onDisk(
  { environment }: SeveralParts,
  member: Member,
  text: Parameters<AnswerParts['checkOnDisk']>[0][number],
): Promise<DiskState> {
  const { checkOnDisk } = await import('../sources/check-on-disk.ts');
  const { openReading } = await import('../reading/reading-pool.ts');
  const { once } = await import('../platform/once.ts');
  return member.use(async ({ folder, settings }) => {
    // Most files have the hash that was indexed, and none needs to be read.
    const reading = once(
      async () => openReading(settings),
      (opened) => opened.close(),
    );
    try {
      const [state = 'changed'] = await checkOnDisk({ folder, settings, environment, reading }, [text]);
      return state;
    } finally {
      await reading.close();
    }
  });
}

/**
 * The model of the first project, where all have the same and the user has agreed to it for each: none sees the text of a
 * project that was not to be sent there.
 */
async function commonGenerator(members: readonly Member[], first: Project): Promise<Generator | undefined> {
  const generator = await first.generator();
  if (!generator) return undefined;
  const wanted = JSON.stringify(first.settings.generator);
  for (const member of members) {
    if (member.folder === first.folder) continue;
    const isSame = await member
      .use(async (project) => {
        if (JSON.stringify(project.settings.generator) !== wanted) return false;
        // Opening asks for consent. A model of this machine needs none, and is large.
        const other = project.settings.generator.driver === 'gguf' ? generator : await project.generator();
        return other !== undefined && other.model === generator.model;
      })
      .catch((thrown) => {
        throw namedAfter(member, asQuarryError(thrown));
      });
    if (!isSame)
      throw new QuarryError(
        'generator-missing',
        `${member.name} is not set up with the same model, so that sentences are quoted.`,
        'Set the same [generator] for all of them, or ask one alone.',
      );
  }
  return generator;
}
