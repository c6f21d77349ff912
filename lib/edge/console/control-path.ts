/**
 * What is posted to these paths is sent to the control function, by the page and the command line.
 */
export const CONTROL_PATH = /^\/api\/(?:stop|resume|approvals\/[^/]+)$/;
