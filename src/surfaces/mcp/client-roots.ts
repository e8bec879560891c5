import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** The folders that a client has open. Older revisions are asked at any time, newer ones within a request of theirs. */
export interface ClientRoots {
  /** What a request is answered with first, where the client has to name its folders for it. */
  questionFor(context: ServerContext): InputRequiredResult | undefined;
  /** Addresses of the folders; undefined where the client does not tell. */
  list(): Promise<readonly string[] | undefined>;
}

/** Milliseconds that a client gets to name its folders. */
const patience = 5_000;
/** Milliseconds after which a client is asked again that cannot say that its folders have changed. */
const validFor = 60_000;
const key = 'roots';

/** Asks a client for its open folders, by the way of its revision, and remembers the answer. */
export function createClientRoots(server: Server): ClientRoots {
  let known: Promise<readonly string[] | undefined> | undefined;
  let askAgainAt = Number.POSITIVE_INFINITY;
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    known = undefined;
  });
  const ask = async (): Promise<readonly string[] | undefined> => {
    if (!server.getClientCapabilities()?.roots) return undefined;
    try {
      const { roots } = await server.listRoots(undefined, { timeout: patience });
      return roots.map(({ uri }) => uri);
    } catch {
      // A client that does not answer has the folder it started us in.
      known = undefined;
      return undefined;
    }
  };
  return {
    questionFor({ mcpReq: { envelope, inputResponses } }) {
      if (!capabilitiesIn(envelope)?.roots) return undefined;
      if (inputResponses) {
        const answer = inputResponse(inputResponses, key);
        known = Promise.resolve(answer.kind === 'roots' ? answer.roots.map(({ uri }) => uri) : undefined);
        askAgainAt = performance.now() + validFor;
      }
      if (known && performance.now() < askAgainAt) return undefined;
      return inputRequired({ inputRequests: { [key]: inputRequired.listRoots() } });
    },
    list() {
      known ??= ask();
      return known;
    },
  };
}

/** What the client of a newer revision says of itself with each request; the library has checked its form. */
function capabilitiesIn(envelope: object | undefined): ClientCapabilities | undefined {
  return (envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ];
}
