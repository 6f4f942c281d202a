import { readUpdate, updateFields } from '../../fields/caseValues';
import { updateForm, updating } from './updates';

const show = { resource: ['case'], operation: ['update'] };

export const fields = updateForm(show, 'The case to update', updateFields(show));

export const execute = updating(readUpdate);
