export { serve as handler } from '../../stages.ts';
