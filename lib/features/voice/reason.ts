/** The part of voice in Reason: the price that is decided with a recording. */
import type { ReasonFeature } from '../../core/stages/reason/reason-feature.ts';
import { recordingPrice } from './recording-price.ts';

export const reasonVoice: ReasonFeature = { recordingPrice };
