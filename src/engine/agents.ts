import { randomUUID } from 'node:crypto';
import type { PushState } from '../streaming/receive-files.ts';

/** Agents that have left and are still listed; the longest gone are forgotten first. */
const maxGone = 50;

/** One that watches its folder connects for every push: it is listed once. */
const marks = ['name', 'address', 'client', 'project'] as const;

/** A client that sends files, or has sent some since the engine started. */
export interface Agent extends PushState {
  readonly id: string;
  /** The name of its token, or how it is known without one. */
  readonly name: string;
  /** Where it connects from. */
  readonly address: string;
  readonly connectedAt: number;
  /** When it was last heard of. */
  readonly heardAt: number;
  /** Absent while it is connected. */
  readonly endedAt?: number;
}

/** Who sends files to this engine. */
export interface Agents {
  /** A client has connected; what is heard of it from now on is passed to the function, `undefined` when it has left. */
  arrive(who: Pick<Agent, 'name' | 'address'>): (heard: PushState | undefined) => void;
  /** Those that are connected first, then those that have left last. */
  list(): Agent[];
}

/** Nobody yet. */
export function createAgents(now: () => number = Date.now): Agents {
  const connected = new Map<string, Agent>();
  let gone: readonly Agent[] = [];
  return {
    arrive({ name, address }) {
      const id = randomUUID();
      connected.set(id, { id, name, address, phase: 'connected', connectedAt: now(), heardAt: now() });
      return (heard) => {
        const agent = connected.get(id);
        if (!agent) return;
        if (heard) connected.set(id, { ...agent, ...heard, heardAt: now() });
        else {
          connected.delete(id);
          const others = gone.filter((previous) => marks.some((mark) => previous[mark] !== agent[mark]));
          gone = [{ ...agent, endedAt: now() }, ...others].slice(0, maxGone);
        }
      };
    },
    list: () => [...[...connected.values()].reverse(), ...gone],
  };
}
