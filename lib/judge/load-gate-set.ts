/** The gates in force for whoever judges only now and then: they are loaded, and their tables built, when something is to be judged. */
import type { GateSet } from '../gates/engine/verify.ts';

export const loadGateSet = async (): Promise<GateSet> => (await import('../gates/engine/gate-set.ts')).GATE_SET;
