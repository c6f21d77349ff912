/** Versions of the data. A release that writes data its predecessor cannot read raises them. */

/** The newest version that this release reads. */
export const DATA_VERSION = 6;
/** The first job (one of a built-in skill too), run of a runbook or added skill stores this one. */
export const JOB_DATA_VERSION = 2;
/** The first code that may pair a runner stores this one. */
export const RUNNER_DATA_VERSION = 3;
/**
 * For a first removed chat or changed right, as a release from before would serve others, and for
 * a first stopped run of a job and a first chat in another language, whose texts it could not read.
 */
export const LATEST_DATA_VERSION = 6;

/** The version that a start stores. A release from before reads everything but the data above. */
export const START_DATA_VERSION = 1;
