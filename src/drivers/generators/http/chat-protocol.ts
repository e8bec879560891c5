import type { GenerateOptions, Message } from '../../../contracts/generator.ts';
import type { KeyedProvider } from '../../../platform/http/credentials.ts';
import type { ServerEventData } from '../../../platform/http/stream.ts';

/** How one kind of service is asked to write, and what its events mean. */
export interface ChatProtocol {
  /** The provider whose address and key are used where the settings name no address. */
  readonly provider: KeyedProvider & { readonly url: string };
  /** Put behind the address, with its leading slash. */
  path(model: string): string;
  /** Sent in the query of the address. */
  readonly query?: Readonly<Record<string, string>>;
  headers(key: string | undefined): Readonly<Record<string, string>>;
  body(request: ChatRequest): object;
  /** What an event adds. */
  read(event: ServerEventData): ChatEvent;
}

/** What a service is asked for. */
export interface ChatRequest extends GenerateOptions {
  readonly model: string;
  readonly messages: readonly Message[];
  /** Whether the address is the provider's own. */
  readonly isProvider: boolean;
}

/** What one event of a stream means. */
export interface ChatEvent {
  /** Text that was written; empty in events about other things. */
  readonly text: string;
  /** Whether the text has ended. */
  readonly isEnd?: boolean;
  /** Why there is no more text, in the service's own words. */
  readonly failure?: string;
}

/** The turns without those for the system, and those as one text. */
export function withoutSystem(messages: readonly Message[]): { system: string; turns: readonly Message[] } {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  return { system: system.join('\n\n'), turns: messages.filter(({ role }) => role !== 'system') };
}
