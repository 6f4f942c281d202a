import { updateForm, updating } from './updates';

const show = { resource: ['case'], operation: ['close'] };

export const fields = updateForm(show, 'The case to close');

export const execute = updating(() => ({ status: 'closed' }));
