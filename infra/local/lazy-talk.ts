/** The modules that a start loads once everything runs. */
export { FEATURES } from '../../lib/features/features.ts';
export { loadHealth } from '../cli/client.ts';
