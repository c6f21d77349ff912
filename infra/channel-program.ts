/** The parts of a feature's channel in programs of this machine: settings, looks, a connection. */
import type { FunctionName, Variables } from '../lib/core/store/settings.ts';
import type { Endpoint } from './inspection.ts';
import type { CheckHead } from './local/http-front.ts';
import type { SettingPlace } from './reachability.ts';

/** How a channel's messages come to the stack, from its start to its end. */
export interface Connection {
  readonly description: string;
  /** A sentence while nothing comes. */
  readonly problem: () => string | undefined;
  readonly stop: () => Promise<void>;
}

export interface ConnectionInput {
  /** Settings and secrets of the stack. */
  readonly variables: Variables;
  readonly stackUrl: string;
  readonly log: (line: string) => void;
}

export interface ChannelProgram {
  /** As people write it. */
  readonly name: string;
  /** Problems between its settings, each behind the name of one. */
  readonly findConflicts: (variables: Variables) => readonly string[];
  /** Values that follow from its settings; `<CHANNEL>_STATE` says how it is connected. */
  readonly derive: (variables: Variables) => Variables;
  /** Of the public address under which the stack is reached; undefined without one. */
  readonly publicHostOf: (variables: Variables) => string | undefined;
  /** By function: its look at the head of a post, before the body is read and handed on. */
  readonly headChecks: (variables: Variables) => Readonly<Partial<Record<FunctionName, CheckHead>>>;
  /** @param isRunning a stack takes its messages. @returns undefined if it is off */
  readonly inspect: (variables: Variables, place: SettingPlace, isRunning: boolean) => Promise<Endpoint | undefined>;
  readonly connect: (input: ConnectionInput) => Promise<Connection>;
}
