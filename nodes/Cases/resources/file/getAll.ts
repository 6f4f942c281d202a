import { shapeFile } from '../../fields/output';
import { gettingList } from '../gettingMany';

export const getAll = gettingList(
	'file',
	'Get the files of a case: their names, and who attached them',
	shapeFile,
);
