//! Options of programs.

/// Options that take the next word, of every program or of one.
pub(in crate::powers) const WITH_VALUE: &[(&str, &str)] = &[
    ("git", "-C -c --git-dir --work-tree --namespace"),
    (
        "kubectl",
        "-n --namespace --context --kubeconfig --cluster -f -l -o",
    ),
    ("helm", "-n --namespace --kube-context"),
    ("gh", "-R --repo --hostname"),
    (
        "docker",
        "-H --host --context --config -e --env -v --volume -p --publish --name -w --workdir -u --user --network --mount --entrypoint --platform --env-file -f -t",
    ),
    (
        "podman",
        "-e --env -v --volume -p --publish --name -w --workdir -u --user --network --mount --entrypoint",
    ),
    ("aws", "--profile --region --output --query --endpoint-url"),
    ("gcloud", "--project --account --format --zone --region"),
    ("az", "--subscription -o --output -g --resource-group"),
    ("conda", "-c --channel -n --name -p --prefix -f --file"),
    ("mamba", "-c --channel -n --name -p --prefix -f --file"),
    ("npm", "--prefix -w --workspace"),
    ("pnpm", "-C --dir --filter -F"),
    ("yarn", "--cwd"),
    ("uv", "--directory --project -p --python --with"),
    ("uvx", "--from --with -p --python"),
    ("npx", "-p --package -c --call"),
    (
        "pip",
        "-i --index-url --extra-index-url -r --requirement -c --constraint -t --target -f --find-links --proxy",
    ),
    (
        "cargo",
        "--manifest-path -p --package --features --target --color",
    ),
    ("make", "-C -f -j"),
    ("docker-compose", "-f -p"),
    (
        "curl",
        "-o --output -d --data --data-raw --data-binary --data-urlencode -H --header -X --request -u --user -F --form -A \
      --user-agent -e --referer -b --cookie -c --cookie-jar -T --upload-file -w --write-out -m --max-time --connect-timeout \
      --retry --cacert --cert --key -K --config",
    ),
    (
        "wget",
        "-O --output-document -P --directory-prefix --header --post-data --post-file -U --user-agent -o -T -t",
    ),
    ("ssh", "-i -p -o -F -l -L -R -D -J -b -c -E -W -w"),
    ("scp", "-i -P -o -F"),
    ("sftp", "-i -P -o -F"),
    ("nc", "-w -p -s -q"),
    ("sudo", "-u -g -h -p -U -C"),
    ("timeout", "-s -k"),
    ("ionice", "-c -n"),
    ("nice", "-n"),
    ("exec", "-a"),
    ("xargs", "-n -P -I -d -L -s -a -E"),
    ("env", "-u -C"),
];

/// Options that change what a program may do: the program, the options, and the words for the power.
pub(in crate::powers) const OPTIONS: &[(&str, &str, &str)] = &[
    (
        "curl",
        "-d --data --data-raw --data-binary --data-urlencode --json -F --form -T --upload-file",
        "curl (uploads)",
    ),
    ("curl", "-k --insecure", "curl --insecure"),
    ("curl", "-K --config", "curl --config"),
    (
        "wget",
        "--post-data --post-file --body-data --body-file",
        "wget (uploads)",
    ),
    (
        "wget",
        "--no-check-certificate",
        "wget --no-check-certificate",
    ),
    (
        "git",
        "-c --config --config-env --exec-path --upload-pack --receive-pack",
        "git -c",
    ),
    (
        "git push",
        "--force -f --force-with-lease --mirror --delete -d --prune",
        "git push --force",
    ),
    ("git commit", "--no-verify -n", "git commit --no-verify"),
    ("git push", "--no-verify", "git push --no-verify"),
    ("git reset", "--hard", "git reset --hard"),
    ("git clean", "-f -fd -fdx -xdf -df", "git clean -f"),
    ("rm", "-r -R -rf -fr -Rf -rfv --recursive", "rm -r"),
    ("chmod", "-R 777 a+rwx u+s +s 4755", "chmod (wide)"),
    (
        "docker run",
        "--privileged -v --volume --mount --device --cap-add",
        "docker run (host access)",
    ),
    ("find", "-delete", "find -delete"),
    ("ssh", "-R -L -D -w -o", "ssh (tunnel)"),
    ("rsync", "--delete -e --rsh", "rsync --delete"),
    (
        "claude",
        "--dangerously-skip-permissions",
        "claude --dangerously-skip-permissions",
    ),
    (
        "codex",
        "--yolo --dangerously-bypass-approvals-and-sandbox --full-auto",
        "codex --yolo",
    ),
    ("gemini", "--yolo -y", "gemini --yolo"),
    ("sed", "-i --in-place", "sed -i"),
];
