/** The modules that a start loads once everything runs. */
export { WINGS } from '../../lib/wings/wings.ts';
export { loadHealth } from '../cli/client.ts';
