import { runFiles } from './runFiles';

runFiles('api', 'fields');
