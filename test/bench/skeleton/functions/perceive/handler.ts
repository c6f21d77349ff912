export { perceive as handler } from '../../stages.ts';
