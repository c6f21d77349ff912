/** The readers of a deployed stack: the clients of AWS are loaded only for one. */
export { loadSecretString } from '../../lib/store/secrets.ts';
export { loadStackOutputs } from '../../lib/store/stack-outputs.ts';
export { openStackReleases } from '../../lib/store/stack-releases.ts';
export { openDeployedTable } from '../../lib/store/whole-table.ts';
