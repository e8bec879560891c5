/** Words of every English text and of every program: they tell prose from code, and no subject from another. */
export const sayLittle: ReadonlySet<string> = new Set(
  (
    'about above after again against also always among another because been before being below between both cannot ' +
    'could does done down each either else even ever every first from gets give given goes have here instead into ' +
    'itself just kept last less like made make many more most much must need never next none nothing once only ' +
    'other others over rather same shall should since some something still such take taken than that their them ' +
    'then there these they thing this those three through together under until upon used uses using very want ' +
    'were what when where whether which while whole whose will with within without would your ' +
    'array assert async await boolean break case catch char class console const constructor continue default ' +
    'delete double elif enum error except export extends false final finally float foreach func function goto ' +
    'implements import include interface lambda length long main module namespace null number object package ' +
    'params partial pass print private promise protected public raise readonly record require return returns ' +
    'self short signed sizeof slice static string struct super switch template throw throws true tuple type ' +
    'typedef typeof undefined union unknown unsigned value values virtual void volatile while yield'
  ).split(' '),
);
