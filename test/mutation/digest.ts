import { runFiles } from './runFiles';

runFiles('package/description.test.ts', 'resources/case/digest');
