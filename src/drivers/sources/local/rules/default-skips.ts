import type { SkipReason } from '../../../../core/events.ts';

/** A group of paths that are left out unless the user includes them again. */
export interface DefaultSkip {
  readonly reason: SkipReason;
  /** What they are, in the words of the rule that is shown. */
  readonly what: string;
  /** Written as in an ignore file; they match in any case. */
  readonly patterns: readonly string[];
  /** Names that the patterns match but that are wanted. */
  readonly except?: readonly string[];
  /** The group applies only if one of these is in the same folder: such names are also used for sources. */
  readonly beside?: readonly string[];
}

/** Folders that are never walked and cannot be included. */
export const fixedSkips: ReadonlyMap<string, { readonly reason: SkipReason; readonly what: string }> =
  new Map([
    ['.git', { reason: 'version-control', what: "git's own data" }],
    ['.hg', { reason: 'version-control', what: "Mercurial's own data" }],
    ['.svn', { reason: 'version-control', what: "Subversion's own data" }],
    ['.jj', { reason: 'version-control', what: "Jujutsu's own data" }],
    ['.quarry', { reason: 'own-files', what: "Quarry's own state" }],
    ['.quarry-received', { reason: 'own-files', what: 'files that clients sent to Quarry' }],
    ['.quarry-added', { reason: 'own-files', what: 'content that was added to Quarry' }],
  ]);

const extensions = (list: string): string[] => list.split(/\s+/).map((extension) => `*.${extension}`);

/** What is left out of every project, the first matching group giving the reason. */
export const defaultSkips: readonly DefaultSkip[] = [
  // Secrets come first: a key file must be named as such whatever else it looks like.
  {
    reason: 'secret-file',
    what: 'environment with secrets',
    patterns: ['.env', '.env.*', '*.env', '.envrc', '.Renviron'],
    except: ['.env.example', '.env.sample', '.env.template', '.env.dist', 'example.env', 'sample.env'],
  },
  {
    reason: 'secret-file',
    what: 'private key or key store',
    patterns: [
      ...['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'id_ecdsa_sk', 'id_ed25519_sk', '.gnupg/', '.ssh/'],
      ...extensions('pem key p8 p12 pfx pkcs12 jks keystore kdb kdbx ppk'),
    ],
  },
  {
    reason: 'secret-file',
    what: 'stored credentials',
    patterns: [
      ...['.npmrc', '.pypirc', '.netrc', '_netrc', '.pgpass', '.my.cnf', '.htpasswd', '.vault_pass'],
      ...['.git-credentials', '.dockercfg', '.s3cfg', '.boto', '.terraformrc', 'terraform.rc'],
      ...['**/.aws/credentials', '**/.aws/config', '**/.docker/config.json', '**/.kube/config'],
      ...['**/.cargo/credentials', '**/.cargo/credentials.toml', '**/.gem/credentials', '**/.azure/*.json'],
      ...['**/gcloud/application_default_credentials.json', '**/.config/gh/hosts.yml'],
      // Terraform writes the passwords of what it made into its state.
      ...['*.tfstate', '*.tfstate.*', '*.tfvars'],
    ],
  },

  // Code that others wrote and a package manager fetched.
  {
    reason: 'dependencies',
    what: 'installed packages',
    patterns: [
      ...['node_modules/', 'bower_components/', 'jspm_packages/', '.pnpm-store/', '.yarn/', '.pnp.*'],
      ...['.venv/', 'venv/', 'site-packages/', '.tox/', '.nox/', '.eggs/', '__pypackages__/'],
      ...[
        '.bundle/',
        '.gradle/',
        '.m2/',
        '.ivy2/',
        '.dart_tool/',
        '.pub-cache/',
        'elm-stuff/',
        '.terraform/',
      ],
      ...['.cpcache/', '.nuget/', '.stack-work/'],
    ],
  },
  {
    reason: 'dependencies',
    what: 'vendored packages',
    // "vendor" is also an ordinary word: only next to the manifest of a tool that fills it.
    patterns: ['vendor/'],
    beside: ['go.mod', 'composer.json', 'Gemfile'],
  },
  {
    reason: 'dependencies',
    what: 'packages of an Apple project',
    patterns: ['Pods/', 'Carthage/'],
    beside: ['Podfile', 'Cartfile'],
  },
  { reason: 'dependencies', what: 'packages of an Elixir project', patterns: ['deps/'], beside: ['mix.exs'] },

  // What a tool made from the sources; ordinary words among them count only next to that tool's manifest.
  {
    reason: 'build-output',
    what: 'output and caches of tools',
    patterns: [
      ...[
        '.next/',
        '.nuxt/',
        '.output/',
        '.svelte-kit/',
        '.astro/',
        '.angular/',
        '.docusaurus/',
        '.vitepress/cache/',
      ],
      ...['.turbo/', '.parcel-cache/', '.cache/', '.nyc_output/', '.vercel/', '.netlify/', '.serverless/'],
      ...['.expo/', '.wrangler/', 'cdk.out/', 'storybook-static/', '.eslintcache', '*.tsbuildinfo'],
      ...[
        '__pycache__/',
        '.mypy_cache/',
        '.pytest_cache/',
        '.ruff_cache/',
        '.hypothesis/',
        '.ipynb_checkpoints/',
      ],
      ...[
        '*.egg-info/',
        'htmlcov/',
        '.coverage',
        'dist-newstyle/',
        'DerivedData/',
        'CMakeFiles/',
        '.zig-cache/',
      ],
      ...['zig-out/', '.bloop/', '.metals/', 'bazel-bin/', 'bazel-out/', 'bazel-testlogs/'],
    ],
  },
  {
    reason: 'build-output',
    what: 'built packages',
    patterns: ['dist/'],
    beside: [
      'package.json',
      'pyproject.toml',
      'setup.py',
      'setup.cfg',
      'bower.json',
      '.goreleaser.yml',
      '.goreleaser.yaml',
    ],
  },
  {
    reason: 'build-output',
    what: 'compiled output',
    patterns: ['target/'],
    beside: ['Cargo.toml', 'pom.xml', 'build.sbt', 'project.clj'],
  },
  {
    reason: 'build-output',
    what: 'compiled output',
    // Not next to package.json, where "build" often holds the build scripts themselves.
    patterns: ['build/'],
    beside: [
      ...['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts', 'pubspec.yaml'],
      ...['setup.py', 'pyproject.toml'],
    ],
  },
  {
    reason: 'build-output',
    what: 'exported site',
    patterns: ['out/'],
    beside: ['next.config.js', 'next.config.mjs', 'next.config.ts', 'foundry.toml'],
  },
  {
    reason: 'build-output',
    what: 'test coverage',
    patterns: ['coverage/'],
    beside: ['package.json', 'Gemfile', 'composer.json'],
  },
  {
    reason: 'build-output',
    what: 'compiled output',
    patterns: ['_build/'],
    beside: ['mix.exs', 'dune-project'],
  },
  {
    reason: 'build-output',
    what: 'compiled output',
    patterns: ['bin/', 'obj/'],
    beside: ['*.csproj', '*.fsproj', '*.vbproj'],
  },

  {
    reason: 'lock-file',
    what: 'lease of an index',
    patterns: ['*--writer.lock.json', '*--vectors.lock.json'],
  },

  // Exact versions and hashes: long, machine-written, and no answer to a query.
  {
    reason: 'lock-file',
    what: 'lock file',
    patterns: [
      ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb'],
      ...[
        'deno.lock',
        'Cargo.lock',
        'poetry.lock',
        'uv.lock',
        'pdm.lock',
        'pixi.lock',
        'Pipfile.lock',
        'conda-lock.yml',
      ],
      ...['Gemfile.lock', 'composer.lock', 'go.sum', 'go.work.sum', 'mix.lock', 'pubspec.lock', 'flake.lock'],
      ...['Podfile.lock', 'Cartfile.resolved', 'Package.resolved', 'packages.lock.json', 'paket.lock'],
      ...[
        'gradle.lockfile',
        '.terraform.lock.hcl',
        'MODULE.bazel.lock',
        'Chart.lock',
        'cabal.project.freeze',
      ],
    ],
  },

  // Text that a tool wrote: the sources it came from are indexed instead.
  {
    reason: 'generated',
    what: 'minified or bundled',
    patterns: [
      '*.min.js',
      '*.min.mjs',
      '*.min.cjs',
      '*.min.css',
      '*.min.html',
      '*-min.js',
      '*.bundle.js',
      '*.chunk.js',
      '*.map',
    ],
  },
  {
    reason: 'generated',
    what: 'generated code',
    patterns: [
      ...[
        '*.pb.go',
        '*.pb.gw.go',
        '*.pb.cc',
        '*.pb.h',
        '*_pb2.py',
        '*_pb2.pyi',
        '*_pb2_grpc.py',
        '*_pb.js',
        '*_pb.d.ts',
      ],
      ...[
        '*.g.dart',
        '*.freezed.dart',
        '*.designer.cs',
        '*.g.cs',
        '*.generated.*',
        '*_generated.go',
        'zz_generated.*',
      ],
    ],
  },
  {
    reason: 'generated',
    what: 'what a program for notes keeps for itself',
    patterns: ['.obsidian/', '**/logseq/bak/', '**/logseq/.recycle/'],
  },
  { reason: 'generated', what: 'packed copy', patterns: extensions('js.gz mjs.gz css.gz html.gz') },
  // Text files of coordinates, which answer no query.
  { reason: 'generated', what: 'drawing', patterns: ['*.svg', '*.ai', '*.eps'] },

  // By extension alone, so that they are never opened. Formats that Quarry can read (PDF, DOCX, HTML, e-mail, gzip) are not here.
  {
    reason: 'picture',
    what: 'image; to have its text read: quarry model add pp-ocrv4',
    patterns: extensions('png jpg jpeg jpe webp tif tiff'),
  },
  {
    reason: 'binary',
    what: 'image',
    patterns: extensions(
      'gif bmp ico icns avif heic heif tga psd xcf raw cr2 nef dng jp2 jxl dds exr hdr cur',
    ),
  },
  {
    reason: 'binary',
    what: 'archive or disk image',
    patterns: extensions(
      'zip tar tgz bz2 tbz2 xz txz zst lz lz4 lzma 7z rar cab cpio deb rpm apk ipa dmg iso img vmdk qcow2 vhd xpi crx vsix whl egg gem nupkg jar war ear aar snap appimage msi',
    ),
  },
  { reason: 'binary', what: 'font', patterns: extensions('woff woff2 ttf otf eot ttc pfb pfm') },
  {
    reason: 'binary',
    what: 'audio',
    patterns: extensions('mp3 wav flac ogg oga opus m4a aac aif aiff wma mid midi amr'),
  },
  {
    reason: 'binary',
    what: 'video',
    // Not .ts, which is TypeScript far more often than a transport stream.
    patterns: extensions('mp4 m4v mov avi mkv webm wmv flv mpg mpeg ogv 3gp m2ts vob'),
  },
  {
    reason: 'binary',
    what: 'program or object code',
    patterns: extensions(
      'exe dll so dylib a lib o obj ko elf bin class pyc pyo pyd wasm node beam rlib rmeta pdb ilk dex gch pch swp swo',
    ),
  },
  {
    reason: 'binary',
    what: 'model weights or numeric data',
    patterns: extensions(
      'onnx safetensors gguf ggml pt pth ckpt tflite mlmodel keras h5 hdf5 npy npz pkl pickle joblib parquet arrow feather orc avro mat rds rdata faiss',
    ),
  },
  {
    reason: 'binary',
    what: 'database',
    patterns: extensions(
      'sqlite sqlite3 sqlite-wal sqlite-shm db db3 db-wal db-shm mdb accdb ldb sst rdb dbf frm ibd lmdb duckdb realm lance',
    ),
  },
  { reason: 'binary', what: 'database', patterns: ['__manifest/'], beside: ['*.lance'] },
  {
    reason: 'binary',
    what: '3D model or design',
    patterns: extensions('blend fbx glb stl 3ds dwg skp sketch indd'),
  },
  { reason: 'binary', what: "file manager's data", patterns: ['.DS_Store', 'Thumbs.db', 'desktop.ini'] },
];
