/** The type of a door for services that send events, each signed in its own way, over HTTP. */
import type { HttpResponse } from '../http/function-url.ts';
import type { AdmitDeps } from '../ledger/accept.ts';
import type { ReplyRoute } from '../signal/signal.ts';
import type { Log } from '../store/log.ts';
import type { Secrets } from '../store/secrets.ts';

/** Settings that the owner may change while it runs. */
export interface EventSettings {
  readonly homeChat: string | undefined;
  readonly defaultActuator?: ReplyRoute['target'] | undefined;
  readonly eventForms?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
}

export interface EventDoorDeps extends AdmitDeps {
  readonly space: string;
  readonly loadSettings: () => Promise<EventSettings>;
  readonly readSecrets: (now: number) => Promise<Secrets>;
  readonly now: () => number;
  readonly log: Log;
}

/** @returns takes a function URL event, payload 2.0 */
export type OpenEventDoor = (deps: EventDoorDeps) => (event: unknown) => Promise<HttpResponse>;
