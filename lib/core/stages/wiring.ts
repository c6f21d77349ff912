/** Things a stage is wired with, beside its table and queues; a simulation gives its own. */
import type { GateSet } from '../gates/engine/verify.ts';
import { resolveAddresses } from '../http/resolve-addresses.ts';
import type { Variables } from '../store/settings.ts';

export interface Around {
  /** The variables of the environment: live settings are laid over them. */
  readonly source?: Variables;
  readonly now?: () => number;
  readonly resolveAddresses?: (url: string) => Promise<readonly string[]>;
  /** This release's unless given. */
  readonly gateSet?: GateSet | undefined;
}

export const inProcess = <T extends Around>(given: T) => ({
  source: process.env,
  now: Date.now,
  resolveAddresses,
  ...given,
});
