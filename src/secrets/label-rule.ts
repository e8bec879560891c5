import { isChosen } from './likelihood.ts';
import type { SecretRule } from './secret-rule.ts';

/** What a password is called in other languages than English, as it begins a label. */
const labels = [
  'contraseña',
  'contrasena',
  'clave',
  'mot de passe',
  'passwort',
  'kennwort',
  'senha',
  'palavra-passe',
  'wachtwoord',
  'parola',
  'parolă',
  'hasło',
  'haslo',
  'heslo',
  'geslo',
  'lozinka',
  'şifre',
  'sifre',
  'lösenord',
  'adgangskode',
  'kodeord',
  'passord',
  'salasana',
  'jelszó',
  'kata sandi',
  'mật khẩu',
  'пароль',
  'парола',
  'лозинка',
  'κωδικός',
  'סיסמה',
  'كلمة المرور',
  'كلمة السر',
  'पासवर्ड',
];

/** The same in languages that put no space between words: the value may follow at once. */
const joinedLabels = ['密码', '密碼', '口令', 'パスワード', '비밀번호', '비번', '암호'];

/** Words between a label and its value: `Passwort für die Datenbank lautet …`. */
const verbs = 'es|est|ist|lautet|is|je|är|er|on|é|è|jest|to|este';

/** A label of a password in another language, and its value: `contraseña: …`, `Le mot de passe est …`, `密码：…`. */
export const labelRule: SecretRule = {
  name: 'labelled-password',
  anchors: [...labels.flatMap(anchorsOf), ...joinedLabels],
  pattern: new RegExp(
    `(?:(?:${labels.join('|')})\\p{L}{0,4}(?:[ \\t]\\p{L}{1,12}){0,3}?[ \\t]{0,3}(?:[:：=—–]|[ \\t](?:${verbs})(?=[ \\t:]):?)|(?:${joinedLabels.join('|')})[ \\t]{0,3}(?:[:：=—–]|は|是|[은는])?)[ \\t]{0,3}(?:\\r?\\n[ \\t]{1,8})?["'\`「“]?([^\\s"'\`<>|。、，」”]{5,128})`,
    'diuy',
  ),
  accepts: (value) => isChosen(value) && /[!-~]{5}/.test(value),
};

/** As it is written within a sentence, and at the beginning of one. */
function anchorsOf(label: string): string[] {
  return [...new Set([label, label.charAt(0).toUpperCase() + label.slice(1)])];
}
