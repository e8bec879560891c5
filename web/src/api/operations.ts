import type { z } from 'zod';
import type { EventData } from '../../../src/client/index.ts';
import type {
  reportCompareOperation,
  reportListOperation,
  reportShowOperation,
} from '../../../src/operations/evaluation/report.ts';
import type { askOperation } from '../../../src/operations/find/ask.ts';
import type {
  callersOperation,
  outlineOperation,
  refsOperation,
  relatedOperation,
} from '../../../src/operations/find/code-graph.ts';
import type { mapOperation } from '../../../src/operations/find/map.ts';
import type { readOperation } from '../../../src/operations/find/read.ts';
import type { searchOperation } from '../../../src/operations/find/search.ts';
import type { manifestOperation } from '../../../src/operations/index/manifest.ts';
import type { statusOperation } from '../../../src/operations/index/status.ts';
import type { configOperation, configSetOperation } from '../../../src/operations/setup/config.ts';
import type {
  tokenCreateOperation,
  tokenListOperation,
  tokenRevokeOperation,
} from '../../../src/operations/setup/token.ts';
import { asking } from './session.ts';

/** The operations that the page asks for: their types are those of the declarations. */
interface Operations {
  ask: typeof askOperation;
  search: typeof searchOperation;
  manifest: typeof manifestOperation;
  map: typeof mapOperation;
  read: typeof readOperation;
  outline: typeof outlineOperation;
  callers: typeof callersOperation;
  refs: typeof refsOperation;
  related: typeof relatedOperation;
  status: typeof statusOperation;
  'report list': typeof reportListOperation;
  'report show': typeof reportShowOperation;
  'report compare': typeof reportCompareOperation;
  'config show': typeof configOperation;
  'config set': typeof configSetOperation;
  'token list': typeof tokenListOperation;
  'token create': typeof tokenCreateOperation;
  'token revoke': typeof tokenRevokeOperation;
}

export type OperationName = keyof Operations;
export type InputOf<Name extends OperationName> = z.input<Operations[Name]['input']>;
export type ResultOf<Name extends OperationName> = z.output<Operations[Name]['output']>;

/** Performs an operation on a project. */
export async function perform<Name extends OperationName>(
  project: string,
  name: Name,
  input: InputOf<Name>,
  options: {
    readonly signal?: AbortSignal;
    readonly onEvent?: (event: EventData) => void;
    readonly confirmed?: boolean;
  } = {},
): Promise<ResultOf<Name>> {
  const { result } = await asking((client) => client.call(project, name, input, options));
  return result as ResultOf<Name>;
}
