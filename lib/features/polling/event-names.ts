/** Up to eight names of events with commas between. */
export const EVENT_NAMES = /^[^\s,]{1,128}(?:,[^\s,]{1,128}){0,7}$/;
