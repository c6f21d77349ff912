/** Type of the sender of traces; what it needs of this function. */
import type { Log } from '../../lib/core/store/log.ts';
import type { ReadSecrets } from '../../lib/core/store/secrets.ts';
import type { Variables } from '../../lib/core/store/settings.ts';
import type { Table } from '../../lib/core/store/table.ts';

interface TraceSettings {
  /** Address of the collector. */
  readonly endpoint: string;
  /** Whether words go along. */
  readonly hasWords: boolean;
  /** Texts with these tags stay here. */
  readonly privateTags: readonly string[];
}

export type StartTraces = (deps: {
  readonly table: Table;
  readonly space: string;
  /** Reads the function's settings. @throws ConfigError */
  readonly read: (variables: Variables) => TraceSettings;
  readonly readSecrets: ReadSecrets;
  readonly log: Log;
}) => () => Promise<void>;
