/** Those that sign checkpoints of the log too: one row at most. */
import type { LoadCosigner } from '../../lib/core/log/cosigner.ts';
import type { Environment } from '../../lib/core/store/settings.ts';
import { cosignByWitnesses } from '../../lib/features/witnesses/cosign.ts';

export const COSIGNERS: readonly ((env: Environment<'log'>) => LoadCosigner)[] = [cosignByWitnesses];
