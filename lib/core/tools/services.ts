/** The services that tools of features ask, as the settings name them. Pure. */
import { FEATURE_SERVICES } from '../../features/services.ts';
import type { ServiceEnv, Services } from './tool.ts';

export const servicesOf = (env: ServiceEnv): Services =>
  Object.fromEntries(Object.entries(FEATURE_SERVICES).map(([tool, setting]) => [tool, env[setting]]));
