/** The readers of a deployed stack: the clients of AWS are loaded only for one. */
export { loadSecretString } from '../../lib/core/store/secrets.ts';
export { loadStackOutputs } from '../../lib/core/store/stack-outputs.ts';
export { openStackReleases } from '../../lib/core/store/stack-releases.ts';
export { openDeployedTable } from '../../lib/core/store/whole-table.ts';
