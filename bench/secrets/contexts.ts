import { createForge } from '../../src/secrets/forge.fixture.ts';
import type { SecretCase } from './case.ts';

/** Where people put passwords, by kind of context; `P` stands for the password. */
const contexts: readonly (readonly [kind: string, ...forms: string[]])[] = [
  ['pgpass', 'db.internal:5432:shop:app:P\n', '*:*:*:postgres:P\nlocalhost:5433:*:ida:P\n'],
  ['mysql attached', 'mysql -u root -pP shop < dump.sql', 'mysqldump -h db1 -uapp -pP shop > dump.sql'],
  ['mysql long', 'mysqladmin --user=root --password=P status'],
  [
    'mysql identified',
    "CREATE USER 'app'@'%' IDENTIFIED BY 'P';",
    "alter user app identified by 'P' account unlock;",
  ],
  ['mysql native', "ALTER USER 'root'@'localhost' IDENTIFIED WITH mysql_native_password BY 'P';"],
  ['oracle identified', 'CREATE USER shop IDENTIFIED BY "P" QUOTA 5M ON users;'],
  [
    'postgres role',
    "CREATE ROLE app WITH LOGIN PASSWORD 'P';",
    "ALTER USER app WITH ENCRYPTED PASSWORD 'P';",
  ],
  ['sql server login', "CREATE LOGIN web WITH PASSWORD = 'P', CHECK_POLICY = OFF;"],
  ['set password', "SET PASSWORD FOR 'bob'@'%' = PASSWORD('P');"],
  ['mongo user', 'db.createUser({ user: "app", pwd: "P", roles: ["readWrite"] })'],
  ['mongo shell', 'mongosh --host db1 -u app -p P --authenticationDatabase admin'],
  ['psql env', 'PGPASSWORD=P psql -h db1 -U app shop', "export PGPASSWORD='P'"],
  ['sqlcmd', 'sqlcmd -S db1 -U sa -P P -Q "select 1"'],
  [
    'docker login',
    'docker login -u ida -p P registry.internal',
    'docker login registry.internal --username ida --password P',
  ],
  ['podman login', 'podman login -u ida -p P quay.internal'],
  ['helm registry', 'helm registry login -u ida -p P oci.internal'],
  ['htpasswd', 'htpasswd -b /etc/nginx/.htpasswd ida P', 'htpasswd -cb users.txt ida P'],
  ['redis conf', 'port 6379\nrequirepass P\nappendonly yes\n', 'masterauth P\n'],
  ['redis acl', 'user worker on >P ~jobs:* +@all'],
  ['redis config set', 'redis-cli CONFIG SET requirepass P', 'AUTH P\nPING\n'],
  ['net use', 'net use Z: \\\\files\\share P /user:CORP\\ida', 'net use \\\\nas\\media /user:ida P'],
  ['net user', 'net user ida P /add'],
  ['yaml next line', 'password:\n  P\nuser: ida\n', 'database:\n  password: >-\n    P\n  host: db1\n'],
  ['yaml', 'db:\n  user: app\n  password: P\n', 'spring:\n  datasource:\n    password: "P"\n'],
  ['kubernetes secret', 'kind: Secret\nstringData:\n  password: P\n'],
  ['kubernetes env', '- name: DB_PASSWORD\n  value: P\n', '  - name: MYSQL_ROOT_PASSWORD\n    value: "P"\n'],
  ['kubectl secret', 'kubectl create secret generic db --from-literal=password=P'],
  ['compose', 'environment:\n  - POSTGRES_PASSWORD=P\n', 'environment:\n  MYSQL_PASSWORD: P\n'],
  ['docker run', 'docker run -d -e POSTGRES_PASSWORD=P postgres:17'],
  ['dotenv', 'DB_USER=app\nDB_PASSWORD=P\n', 'SMTP_PASS="P"\nSMTP_PORT=587\n'],
  [
    'terraform',
    'resource "aws_db_instance" "x" {\n  username = "app"\n  password = "P"\n}',
    'variable "db_password" {\n  default = "P"\n}',
  ],
  ['ansible', 'ansible_become_pass: P\n', 'web1 ansible_host=10.0.0.5 ansible_ssh_pass=P ansible_user=ida\n'],
  ['github actions', '      - run: deploy --host web1\n        env:\n          DEPLOY_PASSWORD: P\n'],
  ['gitlab ci', 'variables:\n  FTP_PASSWORD: "P"\n'],
  ['jenkins', "withEnv(['NEXUS_PASSWORD=P']) {"],
  ['maven', '<server>\n  <id>nexus</id>\n  <username>ida</username>\n  <password>P</password>\n</server>'],
  ['gradle', 'signing.password=P\n', 'nexusPassword = "P"'],
  ['tomcat', '<user username="ida" password="P" roles="manager-gui"/>'],
  [
    'jdbc url',
    'jdbc:mysql://db1/shop?user=app&password=P',
    'jdbc:sqlserver://db1:1433;databaseName=shop;user=sa;password=P',
  ],
  ['jdbc oracle', 'jdbc:oracle:thin:app/P@db1:1521/shop'],
  ['url', 'postgres://app:P@db1:5432/shop', 'amqp://worker:P@mq/jobs'],
  ['odbc', 'Driver={ODBC Driver 18};Server=db1;Uid=sa;Pwd=P;'],
  ['ado.net', 'Data Source=db1;User ID=sa;Password=P;Encrypt=True'],
  ['curl', 'curl -u ida:P https://api.internal/v1', "curl --user 'ida:P' ftp://host/"],
  [
    'wget',
    'wget --user=ida --password=P https://files.internal/a.zip',
    'wget --http-user=ida --http-password=P https://x/',
  ],
  ['sshpass', 'sshpass -p P ssh ida@web1', "sshpass -p 'P' scp a ida@web1:"],
  [
    'smbclient',
    'smbclient //nas/media -U ida%P',
    'mount -t cifs //nas/media /mnt -o username=ida,password=P',
  ],
  ['smb credentials', 'username=ida\npassword=P\ndomain=CORP\n'],
  ['ldap', 'ldapsearch -x -D cn=admin,dc=corp -w P -b dc=corp', 'ldapwhoami -D "cn=admin" -w \'P\''],
  ['slapd', 'rootdn "cn=admin,dc=corp"\nrootpw P\n'],
  [
    'wifi',
    'network={\n  ssid="Home"\n  psk="P"\n}',
    'wpa_passphrase=P\n',
    'nmcli dev wifi connect Home password P',
  ],
  [
    'netrc',
    'machine api.internal login ida password P\n',
    'machine ftp.internal\n  login ida\n  password P\n',
  ],
  [
    'npmrc',
    '//registry.internal/:_password=P\n',
    '//registry.internal/:username=ida\n//registry.internal/:_authToken=P\n',
  ],
  ['pypirc', '[internal]\nrepository = https://pypi.internal\nusername = ida\npassword = P\n'],
  ['twine', 'twine upload -u ida -p P dist/*'],
  ['svn', 'svn checkout --username ida --password P https://svn.internal/trunk'],
  ['rabbitmq', 'rabbitmqctl add_user worker P', 'rabbitmqctl change_password worker P'],
  [
    'openssl',
    'openssl rsa -in key.pem -passin pass:P -out plain.pem',
    'openssl pkcs12 -export -passout pass:P',
  ],
  ['keytool', 'keytool -list -keystore app.jks -storepass P', 'keytool -genkey -keypass P -alias web'],
  ['zip', 'zip -P P out.zip a.txt', 'unzip -P P backup.zip', '7z x backup.7z -pP'],
  ['gpg', 'gpg --batch --passphrase P -d a.gpg', 'echo P | gpg --passphrase-fd 0 -d a.gpg'],
  ['sudo', 'echo P | sudo -S systemctl restart web', "echo 'P' | sudo -S reboot"],
  ['chpasswd', "echo 'ida:P' | chpasswd", 'echo root:P | sudo chpasswd'],
  ['useradd', 'useradd -m -p P ida'],
  ['powershell', 'ConvertTo-SecureString "P" -AsPlainText -Force', '$password = "P"'],
  ['java properties', 'spring.datasource.password=P\n', 'hibernate.connection.password=P\n'],
  ['django', "DATABASES = {'default': {'USER': 'app', 'PASSWORD': 'P'}}"],
  ['rails', 'production:\n  password: P\n  adapter: mysql2\n'],
  [
    'php',
    "define('DB_PASSWORD', 'P');",
    "$config['db_pass'] = 'P';",
    'mysqli_connect("db1", "app", "P", "shop");',
  ],
  [
    'python',
    'psycopg2.connect(host="db1", user="app", password="P")',
    'server.login("ida@corp.internal", "P")',
  ],
  ['node', 'createTransport({ auth: { user: "ida", pass: "P" } })'],
  ['go', 'cfg.Passwd = "P"', 'sql.Open("mysql", "app:P@tcp(db1:3306)/shop")'],
  ['csharp', 'new NetworkCredential("ida", "P")'],
  ['ftp', 'ftp://ida:P@files.internal/', 'lftp -u ida,P sftp://files.internal'],
  ['rsync', 'RSYNC_PASSWORD=P rsync -a /data host::backup'],
  ['restic', "export RESTIC_PASSWORD='P'"],
  ['grafana', '[security]\nadmin_user = ida\nadmin_password = P\n'],
  ['elasticsearch', 'elasticsearch.username: kibana\nelasticsearch.password: "P"\n'],
  ['postfix', '[smtp.corp.internal]:587 ida@corp.internal:P\n'],
  [
    'proxy',
    'export http_proxy=http://ida:P@proxy.internal:3128',
    'Acquire::http::Proxy "http://ida:P@proxy:3128";',
  ],
  ['snmp', 'createUser monitor SHA "P" AES'],
  ['vpn', 'ida : EAP "P"\n', '10.0.0.1 %any : PSK "P"\n'],
  ['cisco', 'username ida privilege 15 password 0 P\n', 'enable secret P\n'],
  ['spanish', 'contraseña: P', 'La contraseña es P', 'clave: P'],
  ['french', 'mot de passe : P', 'Le mot de passe est P'],
  ['german', 'Passwort: P', 'Das Kennwort lautet P', 'Benutzer: ida / Passwort: P'],
  ['portuguese', 'senha: P', 'A senha é P', 'palavra-passe: P'],
  ['dutch', 'wachtwoord: P', 'Het wachtwoord is P'],
  ['italian', 'la parola d’ordine: P', 'password di accesso: P'],
  ['polish', 'hasło: P', 'Hasło do bazy: P'],
  ['czech', 'heslo: P', 'Heslo je P'],
  ['turkish', 'şifre: P', 'parola: P'],
  ['russian', 'пароль: P', 'Пароль от базы: P'],
  ['ukrainian', 'пароль — P'],
  ['chinese', '密码: P', '密码：P', '用户名 ida 密码 P', '口令：P'],
  ['japanese', 'パスワード: P', 'パスワードは P です'],
  ['korean', '비밀번호: P', '비번: P'],
  ['swedish', 'lösenord: P', 'Lösenordet är P'],
  ['danish', 'adgangskode: P', 'kodeord: P'],
  ['finnish', 'salasana: P'],
  ['greek', 'κωδικός: P'],
  ['arabic', 'كلمة المرور: P'],
  ['hebrew', 'סיסמה: P'],
  ['hindi', 'पासवर्ड: P'],
  ['vietnamese', 'mật khẩu: P'],
  ['indonesian', 'kata sandi: P'],
  ['hungarian', 'jelszó: P'],
  ['romanian', 'parolă: P'],
  ['chat', '[10:12] ida: the password is P', 'bob: pw for staging is P btw', 'ida: login ida / pass P'],
  ['note', 'Router admin login: admin, password P', 'WLAN-Passwort: P', 'wifi password: P'],
  ['mail', 'Your temporary password is: P\nPlease change it.', 'Username: ida\nPassword: P\n\nBest,\nBob'],
  ['table', '| user | password |\n|---|---|\n| ida | `P` |\n', '| password | `P` |\n'],
  ['ini', '[client]\nuser=root\npassword=P\n', '[mysqld]\nmaster_password = P\n'],
  ['toml', '[database]\npassword = "P"\n'],
  ['json', '{"user": "app", "password": "P"}', '{"auth":{"username":"ida","passwd":"P"}}'],
  ['xml', '<add key="DbPassword" value="P" />', '<property name="password" value="P"/>'],
  ['log', 'INFO connecting with user=app password=P host=db1', 'DEBUG auth{user=ida, pwd=P}'],
];

/** Passwords as people choose them, and generated ones. */
const forge = createForge(20_261_118);
const words = [
  'sunshine',
  'kangaroo',
  'dragon',
  'tulip',
  'letmein',
  'marmot',
  'Winter',
  'harbour',
  'Otters',
  'pebble',
];
const shapes: readonly ((word: string) => string)[] = [
  (word) => `${word}${forge.digits(3)}`,
  (word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}-${forge.digits(2)}!`,
  () => forge.base62(14),
];

/** Every form with a password of its own; a kind of context is either tuned on or held out, by a hash of its name. */
function casesOf(isHeldOut: boolean): SecretCase[] {
  let drawn = 0;
  return contexts.flatMap(([kind, ...forms]) => {
    const cases = forms.flatMap((form) =>
      shapes.slice(0, 2 + (forms.length === 1 ? 1 : 0)).map((shape) => {
        drawn += 1;
        const password = shape(words[drawn % words.length] ?? '');
        // Some tools take the password as the word after -P, which is no place to fill in.
        return {
          rule: kind,
          marked: form.replaceAll(/(?<!-|[A-Z])P(?![A-Za-z])|(?<=-p)P\b/g, `«${password}»`),
        };
      }),
    );
    return hashOf(kind) % 2 === (isHeldOut ? 1 : 0) ? cases : [];
  });
}

function hashOf(text: string): number {
  let hash = 2166136261;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  return (hash >>> 7) & 1;
}

export const contextCases: readonly SecretCase[] = casesOf(false);
export const heldOutContextCases: readonly SecretCase[] = casesOf(true);
