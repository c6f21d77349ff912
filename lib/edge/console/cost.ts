/** GET /api/cost?period=day|week|session|job&session=&job= → what models cost and what was saved, in micro-dollars and in words. */
import { ProtocolError } from '../../base/errors.ts';
import { COST_PERIODS, parseCostPeriod, reportCost } from '../../stages/perceive/cost.ts';
import { type HttpResponse, respondJson } from '../function-url.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';

export const showCost = async (deps: ConsoleDeps, { request }: RouteCall): Promise<HttpResponse> => {
  const period = parseCostPeriod(request.query.get('period') ?? '');
  if (period === undefined) throw new ProtocolError(`period must be one of ${COST_PERIODS.join(', ')}`);
  const session = request.query.get('session') ?? '';
  if (period === 'session' && session === '') throw new ProtocolError('session is missing: which conversation?');
  const of = period === 'job' ? (request.query.get('job') ?? '') : session;
  return respondJson(200, { period, ...(await reportCost(deps.table, deps.space, deps.now(), period, of)) });
};
