/** What can be done about settings of the version before. */
export const retiredRemedy = 'Rename or remove them: the next version does not know these names.';
