/** Most stacks have no witness: then their code is not loaded. */
import type { LoadCosigner } from '../../core/log/cosigner.ts';
import type { Environment } from '../../core/store/settings.ts';

export const cosignByWitnesses =
  ({ WITNESSES }: Pick<Environment<'log'>, 'WITNESSES'>): LoadCosigner =>
  async (deps) =>
    WITNESSES === '{}' ? undefined : (await import('./ask-witnesses.ts')).buildWitnesses(WITNESSES, deps);
