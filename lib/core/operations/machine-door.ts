/** The type of a door for programs of the owner's machines: signed requests over HTTP. */
import type { HttpRequest, HttpResponse } from '../http/function-url.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import type { Contents } from '../store/contents.ts';
import type { Log } from '../store/log.ts';
import type { Publish } from '../store/queue.ts';
import type { OpenQueue } from '../store/queue-access.ts';
import type { Table } from '../store/table.ts';

export interface MachineDeps {
  readonly table: Table;
  readonly space: string;
  readonly publish: Publish<PerceiveMessage>;
  /** By slot, from 1. */
  readonly queueUrls: readonly string[];
  readonly openQueue: OpenQueue;
  /** Files of skills; undefined if this stack keeps none. */
  readonly contents: Pick<Contents, 'ofSkills'> | undefined;
  readonly now: () => number;
}

export interface MachineDoor {
  /** Tells by its head alone whether a request can be signed at all. */
  readonly carriesProof: (headers: HttpRequest['headers']) => boolean;
  /** @param event a function URL event, payload 2.0 */
  readonly load: () => Promise<(deps: MachineDeps & { readonly log: Log }, event: unknown) => Promise<HttpResponse>>;
}
