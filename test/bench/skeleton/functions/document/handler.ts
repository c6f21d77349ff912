export { idle as handler } from '../../stages.ts';
