/** All that hears and speaks, loaded with the first recording or voice note. */
export { speak } from './speak.ts';
export { transcribe } from './transcribe.ts';
