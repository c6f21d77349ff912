/**
 * Versions of the data. A release that writes data its predecessor cannot read raises them. They
 * have a file of their own, so that the template can name them without loading the store.
 */

/** The newest version that this release reads. */
export const DATA_VERSION = 5;
/** The first job (one of a built-in skill too), run of a runbook or added skill stores this one. */
export const JOB_DATA_VERSION = 2;
/** The first code that may pair a runner stores this one. */
export const RUNNER_DATA_VERSION = 3;
/**
 * The first paired chat that is removed stores this one, and the first change of who may write or
 * approve: a release from before would serve others. Version 4 stands for a removed chat alone.
 */
export const CHAT_DATA_VERSION = 5;

/** The version that a start stores. A release from before reads everything but the data above. */
export const START_DATA_VERSION = 1;
