/** The look-ups that features add for the forms of tools. */
import { FORM_LOOKUPS } from '../../features/lookups.ts';
import type { BuildLookups, FormLookups } from './tool.ts';

export const buildLookups: BuildLookups = (...place) => {
  let all: FormLookups = {};
  for (const build of FORM_LOOKUPS) all = { ...all, ...build(...place) };
  return all;
};
