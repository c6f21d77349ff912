export { reason as handler } from '../../stages.ts';
