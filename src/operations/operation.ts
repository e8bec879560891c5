import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Project } from '../calls/project.ts';
import type { QuarryError } from '../core/errors.ts';
import type { QuarryEvent } from '../core/events.ts';

/** An example input; each surface renders it in its own notation. */
export interface Example<Input extends z.ZodObject = z.ZodObject> {
  readonly input: z.input<Input>;
  /** Settings for this call alone, by dotted key. */
  readonly settings?: Readonly<Record<string, string | number>>;
  readonly explains: string;
}

/**
 * What an operation does to stored data. `reads` changes nothing, except that it may bring the index up to date.
 * `writes` loses nothing. `destroys` removes what does not come back by itself.
 */
export type Effect = 'reads' | 'writes' | 'destroys';

/**
 * What an operation touches: one project, what all projects of a user share, what only the owner of the machine decides
 * (tokens, settings), or files that its input names on the machine that runs it.
 */
export type Reach = 'project' | 'user' | 'owner' | 'machine';

/** Something a user can ask for. Declared once: the command line, servers and the reference are rendered from it. */
export interface Operation extends OperationBody {
  /** One word, or a group and a word: `search`, `cache stats`. */
  readonly name: string;
  /** One imperative sentence. */
  readonly summary: string;
}

/** All of an operation but its name and summary, which the catalogue holds. */
export interface OperationBody<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Event extends QuarryEvent = QuarryEvent,
> {
  readonly effect: Effect;
  /** Whether what it writes may be begun again where an engine ended in its midst: twice then means the same as once. */
  readonly repeatable?: true;
  readonly reach: Reach;
  readonly input: Input;
  readonly output: Output;
  /** Bytes of the largest input that a server takes, where it holds more than a query. */
  readonly maxInputSize?: number;
  /** The input fields that the command line takes without a flag, in order; the last one takes all further words. */
  readonly positionals?: readonly (keyof Input['shape'] & string)[];
  /** The list that takes further texts, where each word of the last positional is a text of several words in quotation marks. */
  readonly furtherTexts?: keyof Input['shape'] & string;
  /** What the command line asks for where the result is written as JSON and the input does not say otherwise. */
  readonly asData?: Readonly<Record<string, boolean>>;
  /** Positional fields that are paths: the command line reads them from the folder it was called in. */
  readonly pathFields?: readonly (keyof Input['shape'] & string)[];
  /** Letters by which the command line also takes an input field: `{ top_k: 'k' }`. */
  readonly shortFlags?: Readonly<Record<string, string>>;
  readonly examples: readonly Example<Input>[];
  /** What it emits while it works, loaded where it is needed; absent where it emits nothing. */
  readonly events?: () => Promise<z.ZodType<Event>>;
  /** Whether its events are part of the result, for programs that follow along. */
  readonly streams?: boolean;
  /**
   * Whether it can be asked of several projects at once, which are one to it then. `placesIn` is a list of its input whose
   * texts begin with the name of a project: only the projects that are named there are asked.
   */
  readonly takesSeveral?: { readonly placesIn?: string };
  /**
   * Whether it also works where the settings of the project cannot be used: by the defaults then, since it is about what is
   * wrong, or about what the user alone has decided. The reason is in its `result`, or a `note` beside it.
   */
  readonly needsNoSettings?: 'result' | 'note';
  /** Whether it concerns no project: none is opened for it. */
  readonly standsAlone?: true;
  /** Whether work is left after the result, which an engine in the background can finish. */
  leavesWork?(result: z.output<Output>): boolean;
  /** The exit code for a result that is not a success; 0 where absent. */
  exitCode?(result: z.output<Output>): number;
  /** Does the work: emits events on the way and returns the result. */
  run(project: Project, input: z.output<Input>, options: RunOptions): AsyncGenerator<Event, z.output<Output>>;
}

/** The process that keeps projects open, as its users may know it. */
export interface EngineFacts {
  readonly pid: number;
  readonly uptimeSeconds: number;
  readonly memoryBytes: number;
  readonly openProjects: number;
}

/** What a surface passes along with the input. */
export interface RunOptions {
  readonly signal?: AbortSignal;
  /** Why the settings of the project do not count; absent where they do. */
  readonly fault?: QuarryError;
  /** What is piped into a command; absent where nothing is. */
  readonly stdin?: () => Readable;
  /** That something else makes the missing vectors: nothing waits for them. */
  readonly vectorsLater?: boolean;
  /** The engine that performs the operation; absent where a command does it itself. */
  readonly engine?: () => EngineFacts;
  /** The id of a process that starts as an engine for such commands; absent where none would answer this one. */
  readonly startingEngine?: () => Promise<number | undefined>;
}

/** Declares what an operation takes, gives and does, with its types inferred from its schemas. */
export function defineOperation<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Event extends QuarryEvent = never,
>(body: OperationBody<Input, Output, Event>): OperationBody<Input, Output, Event> {
  return body;
}
